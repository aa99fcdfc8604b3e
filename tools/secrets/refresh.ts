/**
 * Takes gitleaks' own must-match and must-not-match cases out of a checkout, as facts, into
 * `fixtures/secrets/gitleaks.json`:
 *
 *     deno run -A tools/secrets/refresh.ts PATH_OF_A_GITLEAKS_CHECKOUT
 *
 * Needs Go. The generator of gitleaks' rules runs on a copy whose validator writes each case down instead of trying it.
 *
 * @module
 */

import { encodeCase, type GitleaksCases } from "./cases.ts";

const RECORDER = `package utils

import (
	"encoding/json"
	"os"

	"github.com/zricethezav/gitleaks/v8/config"
)

func record(rule config.Rule, match any, noMatch any) *config.Rule {
	file, err := os.OpenFile(os.Getenv("CASES_FILE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if err := json.NewEncoder(file).Encode(map[string]any{"id": rule.RuleID, "match": match, "noMatch": noMatch}); err != nil {
		panic(err)
	}
	return &rule
}

func Validate(rule config.Rule, match []string, noMatch []string) *config.Rule {
	return record(rule, match, noMatch)
}

func ValidateWithPaths(rule config.Rule, match map[string]string, noMatch map[string]string) *config.Rule {
	return record(rule, match, noMatch)
}
`;

/** What the recorder writes: texts, or texts by the path that they stand in. */
interface Recorded {
  readonly id: string;
  readonly match: readonly string[] | Readonly<Record<string, string>> | null;
  readonly noMatch: readonly string[] | Readonly<Record<string, string>> | null;
}

async function run(
  directory: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout } = await new Deno.Command(command, { args, cwd: directory, env, stderr: "inherit" }).output();
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  return new TextDecoder().decode(stdout).trim();
}

async function recordCases(checkout: string): Promise<Recorded[]> {
  const copy = await Deno.makeTempDir();
  try {
    await run(".", "git", ["clone", "--quiet", checkout, copy]);
    await Deno.writeTextFile(`${copy}/cmd/generate/config/utils/validate.go`, RECORDER);
    const cases = `${copy}/cases.jsonl`;
    // The generator reads its template by a relative path.
    const generator = `${copy}/cmd/generate/config`;
    await run(generator, "go", ["run", "main.go", `${copy}/rules.toml`], { CASES_FILE: cases });
    const lines = (await Deno.readTextFile(cases)).trim().split("\n");
    return lines.map((line) => JSON.parse(line));
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}

function encoded(texts: Recorded["match"]): string[] {
  return [...new Set(Object.values(texts ?? []))].map(encodeCase);
}

if (import.meta.main) {
  const checkout = Deno.args[0];
  if (checkout === undefined) throw new Error("usage: refresh.ts PATH_OF_A_GITLEAKS_CHECKOUT");
  const recorded = await recordCases(await Deno.realPath(checkout));
  const cases: GitleaksCases = {
    note: "What gitleaks' rules must and must not match: synthetic texts, reversed and in base64, so that no scanner " +
      "takes this file for a leak. Written by tools/secrets/refresh.ts.",
    repository: "https://github.com/gitleaks/gitleaks",
    commit: await run(checkout, "git", ["rev-parse", "HEAD"]),
    rules: Object.fromEntries(
      recorded.toSorted((left, right) => left.id < right.id ? -1 : 1)
        .map(({ id, match, noMatch }) => [id, { match: encoded(match), noMatch: encoded(noMatch) }]),
    ),
  };
  const target = new URL("../../fixtures/secrets/gitleaks.json", import.meta.url);
  await Deno.writeTextFile(target, JSON.stringify(cases, null, 1) + "\n");
  console.log(`${recorded.length} rules`);
}
