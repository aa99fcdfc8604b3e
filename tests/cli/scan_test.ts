import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { sarifLog } from "../../src/cli/sarif.ts";
import { ruleCatalogue } from "../../src/secrets/mod.ts";
import { widthOf } from "../../src/cli/layout.ts";
import { runToEnd } from "../support/server.ts";
import { onTerminal, plantSecrets, program, withFolder, words } from "./_program.ts";

const SOURCES = ["claude-code", "codex", "cursor"];
const NPM = Deno.build.os === "windows" ? "npm.cmd" : "npm";

/** Checks that no text holds a secret, nor eight characters of one beyond what a mask shows. */
function assertSilent(secrets: readonly string[], ...texts: string[]): void {
  for (const secret of secrets) {
    for (const text of texts) {
      assert(!text.includes(secret.slice(6, 14)), `${secret.slice(0, 6)}... is shown`);
    }
  }
}

Deno.test("scan groups by secret, tells what to rotate, and never shows one", () =>
  withFolder(async (home) => {
    const secrets = plantSecrets(home, SOURCES);
    assert(secrets.length > 5);
    const text = await program(["scan"], { home });
    assertEquals(text.code, 1, text.stderr);
    for (const part of ["Rotate in this order", "1. ", "Rotate: ", "fix --source codex"]) {
      assertStringIncludes(text.stdout, part);
    }
    const json = await program(["scan", "--source", "codex", "--json"], { home });
    assertEquals([json.code, json.stderr], [1, ""]);
    const findings = JSON.parse(json.stdout);
    assert(findings.length > 3);
    for (const finding of findings) {
      assertEquals(
        Object.keys(finding),
        ["source", "fingerprint", "file", "line", "keypath", "rule", "display", "masked"],
      );
      assertEquals(finding.source, "codex");
    }
    const html = join(home, "report.html");
    const file = join(home, "report.sarif");
    const sarif = await program(["scan", "--sarif", "-o", file, "--html", html], { home });
    assertEquals([sarif.code, sarif.stdout], [1, ""]);
    const page = await Deno.readTextFile(html);
    const log = await Deno.readTextFile(file);
    assertSilent(secrets, text.stdout, text.stderr, json.stdout, page, log);
    if (Deno.build.os !== "windows") assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
    const left = Array.from(Deno.readDirSync(home), ({ name }) => name).filter((name) => name.endsWith(".part"));
    assertEquals(left, []);
  }));

Deno.test("the exit code of scan: 0 clean, 2 where something could not be read or asked for", () =>
  withFolder(async (home) => {
    assertEquals((await program(["scan", "--json"], { home })).stdout, "[]\n");
    assertEquals((await program(["scan"], { home })).code, 0);
    plantSecrets(home, ["codex"]);
    // Without permission for it the history is not clean but unknown.
    const denied = await program(["scan", "--source", "codex", "--json"], {
      home,
      permissions: ["--no-prompt", "--allow-env=HOME,USERPROFILE"],
    });
    assertEquals([denied.code, denied.stdout], [2, "[]\n"]);
    assertStringIncludes(denied.stderr, "not complete");
    const refused: [string[], string][] = [
      [["--source", "codx"], "did you mean codex?"],
      [["--root", home], "exactly one --source"],
      [["--source", "codex", "--root", join(home, "nowhere")], "is no directory"],
      [["--all", "--source", "codex"], "exclude each other"],
      [["--json", "--sarif"], "exclude each other"],
      [["-o", join(home, "no", "such", "file")], "does not exist"],
      [["-o", home], "is a directory"],
      [["extra"], "unexpected argument extra"],
    ];
    for (const [args, expected] of refused) {
      const { code, stdout, stderr } = await program(["scan", ...args], { home });
      assertEquals([code, args[0] === "-o" ? "" : stdout], [2, ""], expected);
      assertStringIncludes(stderr, expected);
    }
  }));

Deno.test("a copy of a history is scanned where --root says", () =>
  withFolder(async (folder) => {
    plantSecrets(join(folder, "home"), ["codex"]);
    await Deno.rename(join(folder, "home", ".codex"), join(folder, "copy"));
    const { stdout } = await program(["scan", "--source", "codex", "--root", join(folder, "copy"), "--json"], {
      home: join(folder, "home"),
    });
    const findings: { file: string }[] = JSON.parse(stdout);
    assert(findings.length > 0 && findings.every(({ file }) => file.startsWith(join(folder, "copy"))));
  }));

/** The schema was written for regular expressions without Unicode; one of its patterns is none with it. */
function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false;
  }
}

Deno.test("SARIF keeps to the schema of 2.1.0", () =>
  withFolder(async (home) => {
    plantSecrets(home, SOURCES);
    // The published schema comes in a package of its own; the copy there is the standard's.
    const install = [
      "install",
      "--prefix",
      join(home, "npm"),
      "--silent",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
    ];
    const installed = await runToEnd([NPM, ...install, "@microsoft/jest-sarif"]);
    assertEquals(installed.code, 0, installed.stderr);
    const schemas = join(home, "npm", "node_modules", "@microsoft", "jest-sarif", "lib", "schemas");
    const [entry] = Array.from(Deno.readDirSync(schemas));
    const { $schema: _draft, id: _id, ...schema } = JSON.parse(
      await Deno.readTextFile(join(schemas, entry!.name)),
      (key, value) => key === "pattern" && typeof value === "string" && !isPattern(value) ? undefined : value,
    );
    const validate = new AjvJsonSchemaValidator().getValidator(schema);
    const { stdout } = await program(["scan", "--sarif"], { home });
    const log = JSON.parse(stdout);
    const verdict = validate(log);
    assert(verdict.valid, verdict.errorMessage);
    assert(log.runs[0].results.length > 5);
    const everyRule = ruleCatalogue().map(({ id, display }) => ({
      source: "codex",
      fingerprint: "0",
      file: "C:\\a b\\\ud800#%.jsonl",
      line: 0,
      keypath: "",
      rule: id,
      display,
      masked: "********",
    }));
    assertEquals(validate(JSON.parse(JSON.stringify(sarifLog(everyRule, [], true)))).errorMessage, undefined);
    assert(!validate({ ...log, version: "2.0.0" }).valid, "the schema is really asked");
  }));

Deno.test("a reader that goes away early ends nothing in an error", async () => {
  if (Deno.build.os === "windows") return;
  const quoted = words(["rules", "--json"]).map((word) => `'${word}'`).join(" ");
  const { code, stdout, stderr } = await runToEnd(["bash", "-c", `set -o pipefail; ${quoted} | head -n 1`]);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(stdout.split("\n").length, 2);
});

Deno.test("a terminal of 40 columns is kept to, with colours unless NO_COLOR is set", () =>
  withFolder(async (home) => {
    if (Deno.build.os !== "linux") return; // `script` takes other arguments elsewhere
    plantSecrets(home, ["codex"]);
    const { shown } = await onTerminal(["list-sources"], { home, columns: 40 });
    for (const line of shown.split("\n")) assert(widthOf(line) <= 40, line);
    const refused = await onTerminal(["config", "--client", "zedd", "--root", "/"], { home, columns: 40 });
    assertEquals(refused.code, 2);
    for (const line of refused.shown.trim().split("\n")) assert(widthOf(line) <= 40 && !line.startsWith(" "), line);
    assertStringIncludes(refused.shown.replaceAll("\n", " "), "did you mean zed? It takes one of: claude-code,");
    const narrow = await onTerminal(["scan", "--source", "codex"], { home, columns: 40, env: { NO_COLOR: "1" } });
    const places = narrow.shown.split("\n").filter((line) => /\.jsonl(\.zst)?:\d+$/.test(line));
    assert(places.length > 5, "of a place the file's name and the line are told");
    for (const line of places) assert(widthOf(line) <= 40, line);
    const coloured = await onTerminal(["scan", "--source", "codex"], { home, columns: 60, env: { NO_COLOR: "" } });
    assertStringIncludes(coloured.shown, "\x1b[31m");
    assertEquals(coloured.code, 1);
    const plain = await onTerminal(["scan", "--source", "codex"], { home, columns: 60, env: { NO_COLOR: "1" } });
    assertEquals(plain.shown.replaceAll("\x1b[K", "").split("\x1b").length, 1, "a colour");
  }));
