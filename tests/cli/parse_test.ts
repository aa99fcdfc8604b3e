import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Command } from "../../src/cli/command.ts";
import { loadCommands } from "../../src/cli/commands/mod.ts";
import { helpFor } from "../../src/cli/help.ts";
import { nearest } from "../../src/cli/nearest.ts";
import { parse, wholeNumber } from "../../src/cli/parse.ts";
import { numbersIn } from "../../src/cli/pick.ts";

const FLAGS = {
  root: { value: "DIR", repeatable: true, summary: "roots" },
  client: { value: "NAME", short: "c", summary: "client", choices: ["zed", "goose"] },
  json: { summary: "JSON" },
} as const;

const sample: Command<typeof FLAGS> = {
  name: "sample",
  summary: "sample",
  flags: FLAGS,
  operands: { name: "DIR", min: 0, max: 1 },
  examples: [],
  keeps: () => [],
  run: () => Promise.resolve(0),
};

Deno.test("flags are read in every spelling", () => {
  const { flags, operands } = parse(sample, ["--root", "a", "--root=b", "-c", "zed", "here", "--json"]);
  assertEquals({ ...flags }, { root: ["a", "b"], client: "zed", json: true });
  assertEquals(operands, ["here"]);
  assertEquals({ ...parse(sample, []).flags }, { root: [], client: undefined, json: false });
  assertEquals(parse(sample, ["--", "--json"]).operands, ["--json"]);
  assertEquals(parse(sample, ["--root=--json"]).flags.root, ["--json"]);
});

Deno.test("what cannot be meant is refused with what to write", () => {
  const refused: [string[], string][] = [
    [["--jsn"], "did you mean --json?"],
    [["--rooot", "a"], "did you mean --root?"],
    [["--wholly-different"], "sample --help lists the flags"],
    [["--__proto__"], "knows no flag"],
    [["--constructor"], "knows no flag"],
    [["-x"], "knows no flag -x"],
    [["--root"], "--root needs a value: --root DIR"],
    [["--root="], "--root needs a value"],
    [["--root", "--json"], "--json is a flag; if it is meant, --root=--json"],
    [["--json=yes"], "--json takes no value"],
    [["--client", "zet"], "did you mean zed?"],
    [["--client", "zed", "--client", "goose"], "given twice"],
    [["a", "b"], "unexpected argument b"],
  ];
  for (const [args, expected] of refused) assertThrows(() => parse(sample, args), Error, expected);
  assertThrows(() => parse({ ...sample, operands: { name: "DIR", min: 1, max: 1 } }, []), Error, "sample needs DIR");
  for (const text of ["-1", "1.5", "x", " 1", "9999999999"]) {
    assertThrows(() => wholeNumber("--n", text), Error, "whole number");
  }
});

Deno.test("the nearest word is suggested, and none where none is near", () => {
  const names = ["scan", "sweep", "config", "doctor", "list-sources", "list-targets"];
  assertEquals(nearest("sacn", names), "scan");
  assertEquals(nearest("swep", names), "sweep");
  assertEquals(nearest("list-source", names), "list-sources");
  assertEquals(nearest("doc", names), "doctor");
  assertEquals(nearest("zzz", names), undefined);
  assertEquals(nearest("", names), undefined);
  assertEquals(nearest("a".repeat(100_000), names), undefined);
});

Deno.test("numbers are picked one by one, in ranges, all or none", () => {
  assertEquals(numbersIn("", 5), []);
  assertEquals(numbersIn("all", 3), [1, 2, 3]);
  assertEquals(numbersIn(" 4, 1-2 2", 5), [1, 2, 4]);
  for (const answer of ["0", "6", "2-1", "1-6", "x", "1;2", "-1", "1-", "1e1", "99999999999999999999"]) {
    assertEquals(numbersIn(answer, 5), null, answer);
  }
});

Deno.test("every command has help that says all of it, and examples that it accepts", async () => {
  const commands = await loadCommands();
  for (const command of commands) {
    assert(command.summary.length > 10 && !command.summary.endsWith("."), command.name);
    assert(command.examples.length > 0, command.name);
    for (const { line } of command.examples) {
      const [name, ...args] = line.split(" ");
      const shown = commands.find((command) => command.name === name);
      assert(shown, line);
      parse(shown, args);
    }
    for (const width of [40, 80, Infinity]) {
      const help = helpFor(command, "agentsweep", width);
      for (const flag of Object.keys(command.flags)) assertStringIncludes(help, `--${flag}`);
      for (const { line } of command.examples) assertStringIncludes(help, `agentsweep ${line}`);
    }
  }
});
