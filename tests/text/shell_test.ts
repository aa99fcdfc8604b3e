import { assertEquals } from "@std/assert";
import { commandLine } from "../../src/text/shell.ts";

const WORDS = [
  "plain",
  "",
  "a b",
  "it's",
  '"quoted"',
  "$HOME",
  "`id`",
  "back\\slash",
  "new\nline",
  "*",
  "~",
  "ünï",
  "-x",
  "a;b",
];

Deno.test("a real shell reads a command line back as the same words", async () => {
  if (Deno.build.os === "windows") return;
  const line = commandLine(["printf", "%s\\0", ...WORDS], "linux");
  const { stdout } = await new Deno.Command("sh", { args: ["-c", line] }).output();
  assertEquals(new TextDecoder().decode(stdout).split("\0").slice(0, -1), WORDS);
});

Deno.test("PowerShell's quoting: doubled quotes, and a quoted program is called", () => {
  assertEquals(commandLine(["deno", "C:\\My Code", "it's"], "windows"), "deno 'C:\\My Code' 'it''s'");
  assertEquals(commandLine(["C:\\Program Files\\deno.exe", "run"], "windows"), "& 'C:\\Program Files\\deno.exe' run");
});
