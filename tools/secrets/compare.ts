/**
 * Runs other scanners and this one over one corpus and prints a table: time, findings, how many of the planted secrets
 * were found, and peak memory:
 *
 *     deno run -A tools/secrets/compare.ts MEGABYTES NAME=PATH ...
 *
 * where each NAME is one of `agentsweep`, `betterleaks`, `detect-secrets`, `gitleaks`, `kingfisher`, `secretlint` and PATH
 * its executable. The corpus is the benchmark's, with a secret of each of the first rules' examples in lines of their
 * own. Needs GNU time at /usr/bin/time.
 *
 * @module
 */

import { recordMaker } from "../../bench/secrets_corpus.ts";
import { createScanner, type Finding } from "../../src/secrets/mod.ts";
import { RULES } from "../../src/secrets/rules/mod.ts";

/** How each scanner is told to scan a folder and to report what it found on its standard output, masked or not. */
const ARGUMENTS: Readonly<Record<string, (folder: string) => string[]>> = {
  "this": (folder) => ["run", "-A", "--no-lock", import.meta.filename ?? "", "--scan", folder],
  "agentsweep": (folder) => ["scan", "--source", "claude-code", "--root", folder, "--json"],
  "betterleaks": (folder) => [folder, "--output", "-"],
  "detect-secrets": (folder) => ["scan", "--all-files", "--no-verify", folder],
  "gitleaks": (
    folder,
  ) => ["dir", folder, "--report-format", "json", "--report-path", "-", "--no-banner", "-l", "error"],
  "kingfisher": (folder) => ["scan", folder, "--no-validate", "--format", "json", "--no-update-check"],
  "secretlint": (folder) => [`${folder}/**/*`, "--format", "unix", "--no-color"],
};

interface Line {
  readonly name: string;
  readonly seconds: number;
  readonly memory: number;
  readonly lines: ReadonlySet<number>;
}

/** Numbers of the lines that a scanner's report speaks of: in JSON under whatever name, or as `path:line:column`. */
function linesOf(report: string): Set<number> {
  const names = "line|line_number|StartLine|line_num|start_line|startLine";
  const named = new RegExp(`"(?:${names})"\\s*:\\s*(?:\\{\\s*"line"\\s*:\\s*)?(\\d+)|history\\.jsonl:(\\d+):\\d+`, "g");
  return new Set([...report.matchAll(named)].map((match) => Number(match[1] ?? match[2])));
}

async function measure(name: string, program: string, folder: string): Promise<Line> {
  const args = ["-f", "%e %M", program, ...(ARGUMENTS[name]?.(folder) ?? [])];
  const { stdout, stderr } = await new Deno.Command("/usr/bin/time", { args, cwd: folder }).output();
  const decoder = new TextDecoder();
  const [seconds = NaN, kilobytes = NaN] = (decoder.decode(stderr).trim().split("\n").at(-1) ?? "").split(" ").map(
    Number,
  );
  return { name, seconds, memory: kilobytes / 1000, lines: linesOf(decoder.decode(stdout)) };
}

/** Writes the corpus; returns the numbers of the lines that hold a secret. */
async function plant(path: string, size: number): Promise<Set<number>> {
  const make = recordMaker(7);
  const secrets = RULES.filter((rule) => rule.confidence !== "low").map((rule) => rule.examples.match()[0] ?? "");
  const planted = new Set<number>();
  const encoder = new TextEncoder();
  using file = await Deno.open(path, { write: true, create: true });
  const every = Math.max(1, Math.floor(size / 4200 / secrets.length));
  for (let written = 0, line = 1; written < size || secrets.length > 0; line++) {
    const secret = line % every === 0 ? secrets.shift() : undefined;
    if (secret !== undefined) planted.add(line);
    const text = secret === undefined ? make() : JSON.stringify({ type: "user", message: { content: secret } });
    written += await file.write(encoder.encode(`${text}\n`));
  }
  return planted;
}

async function main(): Promise<void> {
  const [megabytes, ...peers] = Deno.args;
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/projects/demo`, { recursive: true });
    const path = `${folder}/projects/demo/history.jsonl`;
    const planted = await plant(path, Number(megabytes) * 1e6);
    const { size } = await Deno.stat(path);
    const rules = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend" }] };
    await Deno.writeTextFile(`${folder}/.secretlintrc.json`, JSON.stringify(rules));
    console.log(`${(size / 1e6).toFixed(1)} MB, ${planted.size} lines with a secret\n`);
    console.log("| scanner | seconds | MB/s | lines reported | of the planted | other lines | peak memory, MB |");
    console.log("| --- | --- | --- | --- | --- | --- | --- |");
    for (const [name = "", program = ""] of [["this", Deno.execPath()], ...peers.map((peer) => peer.split("="))]) {
      const { seconds, memory, lines } = await measure(name, program, folder);
      const hit = [...lines].filter((line) => planted.has(line)).length;
      const cells = [
        name,
        seconds,
        (size / 1e6 / seconds).toFixed(1),
        lines.size,
        hit,
        lines.size - hit,
        memory.toFixed(0),
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (Deno.args[0] === "--scan") {
  const findings: Finding[] = [];
  const scanner = createScanner({ onFinding: (finding) => findings.push(finding) });
  const file = await Deno.open(`${Deno.args[1]}/projects/demo/history.jsonl`);
  for await (const chunk of file.readable) scanner.push(chunk);
  scanner.finish();
  console.log(JSON.stringify(findings));
} else await main();
