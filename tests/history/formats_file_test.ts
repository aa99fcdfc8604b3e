import { assert, assertEquals, assertRejects } from "@std/assert";
import { readStrings } from "../../src/history/read.ts";
import { readFile, utf16, utf8, withDir } from "./_formats.ts";

const FORMATS = ["jsonl", "json", "text", "xml", "sqlite"] as const;
const IS_WINDOWS = Deno.build.os === "windows";

async function runTool(name: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(name, { args }).output();
  assert(success);
}

Deno.test("a file that is missing, or vanished between discovery and reading, is named in every format", () =>
  withDir(async (dir) => {
    for (const format of FORMATS) {
      assertEquals((await readFile(`${dir}/none`, format)).kinds, ["vanished"]);
      assertEquals((await readFile(`${dir}/none/deeper`, format)).kinds, ["vanished"]);
    }
  }));

Deno.test("a directory named like a file is named", () =>
  withDir(async (dir) => {
    await Deno.mkdir(`${dir}/x.jsonl`);
    for (const format of FORMATS) assertEquals((await readFile(`${dir}/x.jsonl`, format)).kinds, ["directory"]);
  }));

Deno.test({
  name: "a pipe, a device and a socket are named and never waited for",
  ignore: IS_WINDOWS,
  fn: () =>
    withDir(async (dir) => {
      await runTool("mkfifo", `${dir}/pipe`);
      const listener = Deno.listen({ transport: "unix", path: `${dir}/socket` });
      try {
        for (const format of FORMATS) {
          for (const path of [`${dir}/pipe`, `${dir}/socket`, "/dev/zero"]) {
            assertEquals((await readFile(path, format)).kinds, ["special"]);
            assertEquals((await readFile(path, format, { follow: true })).kinds, ["special"]);
          }
        }
      } finally {
        listener.close();
      }
    }),
});

Deno.test({
  name: "a link is not followed unless asked for, and then what it leads to counts",
  ignore: IS_WINDOWS,
  fn: () =>
    withDir(async (dir) => {
      await Deno.writeTextFile(`${dir}/real`, '{"a":"b"}');
      await Deno.symlink(`${dir}/real`, `${dir}/link`);
      await Deno.symlink(dir, `${dir}/to-dir`);
      await Deno.symlink(`${dir}/none`, `${dir}/dangling`);
      await Deno.symlink(`${dir}/loop`, `${dir}/loop`);
      for (const name of ["link", "to-dir", "dangling", "loop"]) {
        assertEquals((await readFile(`${dir}/${name}`, "jsonl")).kinds, ["link"]);
      }
      assertEquals((await readFile(`${dir}/link`, "jsonl", { follow: true })).text, "a\nb");
      assertEquals((await readFile(`${dir}/to-dir`, "jsonl", { follow: true })).kinds, ["directory"]);
      assertEquals((await readFile(`${dir}/dangling`, "jsonl", { follow: true })).kinds, ["vanished"]);
      assertEquals((await readFile(`${dir}/loop`, "jsonl", { follow: true })).kinds, ["link"]);
    }),
});

Deno.test("what the sandbox does not allow is named as such", () =>
  withDir(async (dir) => {
    await Deno.writeTextFile(`${dir}/secret`, "content");
    const read = new URL("../../src/history/read.ts", import.meta.url).href;
    const code = `import { readStrings } from ${JSON.stringify(read)};
for (const format of ${JSON.stringify(FORMATS)}) {
  for await (const _ of readStrings(${JSON.stringify(`${dir}/secret`)}, format, (p) => console.log(p.kind)));
}`;
    await Deno.writeTextFile(`${dir}/program.ts`, code);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--no-config", "--quiet", `${dir}/program.ts`],
    }).output();
    assertEquals(new TextDecoder().decode(stdout).trim().split("\n"), FORMATS.map(() => "not-granted"));
  }));

Deno.test("a file that grows while it is read is read as far as it went", () =>
  withDir(async (dir) => {
    const path = `${dir}/live.jsonl`;
    const line = JSON.stringify({ text: "x".repeat(1000) }) + "\n";
    await Deno.writeTextFile(path, line.repeat(2000));
    const append = await Deno.open(path, { append: true });
    let count = 0;
    for await (const { key } of readStrings(path, "jsonl", () => assert(false))) {
      if (key) continue;
      if (count++ % 100 === 0) await append.write(utf8(line + '{"torn'));
    }
    append.close();
    assertEquals(count, 2000);
  }));

Deno.test("another process appends while lines are read: every line is whole or the torn last one", () =>
  withDir(async (dir) => {
    const path = `${dir}/live.jsonl`;
    await Deno.writeTextFile(path, "");
    const code = `const file = await Deno.open(Deno.args[0], { append: true });
const end = performance.now() + 900;
console.log("ready");
for (let n = 0; performance.now() < end; n++) {
  const line = new TextEncoder().encode(JSON.stringify({ n, text: "y".repeat(n % 3000) }) + "\\n");
  file.writeSync(line.subarray(0, n % line.length));
  file.writeSync(line.subarray(n % line.length));
}`;
    await Deno.writeTextFile(`${dir}/writer.ts`, code);
    const writer = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", "--quiet", `${dir}/writer.ts`, path],
      stdout: "piped",
    }).spawn();
    const output = writer.stdout.getReader();
    await output.read();
    for (let round = 0; round < 10; round++) {
      const { strings, problems } = await readFile(path, "jsonl");
      assertEquals(problems, []);
      const torn = strings.filter(({ form }) => form === "text");
      assert(torn.length === 0 || (torn.length === 1 && torn[0] === strings.at(-1)));
    }
    while (!(await output.read()).done);
    await writer.status;
  }));

Deno.test("a file that is cut while it is read is named, and what was read before is given out", () =>
  withDir(async (dir) => {
    const path = `${dir}/cut.jsonl`;
    await Deno.writeTextFile(path, (JSON.stringify({ text: "x".repeat(1000) }) + "\n").repeat(3000));
    const kinds: string[] = [];
    let count = 0;
    for await (const _ of readStrings(path, "jsonl", ({ kind }) => kinds.push(kind))) {
      if (count++ === 0) await Deno.truncate(path, 10);
    }
    assert(count > 100);
    assertEquals(kinds, ["shrunk"]);
  }));

Deno.test("only the new lines of a file that grew are read when asked for, and they keep their places", () =>
  withDir(async (dir) => {
    for (const bytes of [utf8('\ufeff{"a":"old"}\n{"a":"new"}\n'), utf16('\ufeff{"a":"old"}\n{"a":"new"}\n', true)]) {
      await Deno.writeFile(`${dir}/x.jsonl`, bytes);
      const all = (await readFile(`${dir}/x.jsonl`, "jsonl")).strings;
      const from = bytes.length === 27 ? 15 : 26;
      const { strings } = await readFile(`${dir}/x.jsonl`, "jsonl", { from, fromLine: 2 });
      assertEquals(strings, all.slice(2));
      assertEquals(strings.at(-1)?.text, "new");
    }
  }));

Deno.test("a signal ends the reading within a moment, and the file is closed", () =>
  withDir(async (dir) => {
    const path = `${dir}/long.jsonl`;
    await Deno.writeTextFile(path, (JSON.stringify({ text: "x".repeat(1000) }) + "\n").repeat(50_000));
    const signal = AbortSignal.timeout(50);
    const begin = performance.now();
    await assertRejects(
      () => readFile(path, "jsonl", { signal }).then(() => readFile(path, "jsonl", { signal })),
      DOMException,
    );
    assert(performance.now() - begin < 1000);
    await Deno.remove(path);
  }));

Deno.test("no reason quotes the path or the content of a file", () =>
  withDir(async (dir) => {
    await Deno.writeTextFile(`${dir}/secretname`, "SECRET".repeat(1000));
    const { problems } = await readFile(`${dir}/secretname`, "sqlite");
    assertEquals(problems.length, 1);
    assert(problems.every(({ reason }) => !/secret/i.test(reason)));
  }));
