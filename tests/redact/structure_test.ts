import { assert, assertEquals } from "@std/assert";

const SRC = new URL("../../src/", import.meta.url);

function* modules(folder: URL = SRC): Generator<{ path: string; text: string }> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory) yield* modules(url);
    else if (name.endsWith(".ts")) {
      const lines = Deno.readTextFileSync(url).split("\n");
      // Examples in comments make the folders that they work in.
      const text = lines.filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).join("\n");
      yield { path: url.pathname.slice(SRC.pathname.length), text };
    }
  }
}

/** Calls that change a file system. */
const CHANGES =
  /\b(?:Deno\.(?:write\w*|rename\w*|remove\w*|truncate\w*|create\w*|mkdir\w*|copyFile\w*|chmod\w*|chown\w*|utime\w*|(?:sym)?link(?:Sync)?)|\b(?:writeFile|append|rename|unlink|rm|truncate|mkdir|copyFile|chmod|chown|utimes|createWrite)\w*Sync)\s*\(|\bDeno\.open\w*\([^)]*\b(?:write|append|create|createNew): true/;

Deno.test("who changes files: nothing outside of src/redact writes a history", () => {
  const writers = [...modules()].filter(({ text }) => CHANGES.test(text)).map(({ path }) => path).sort();
  assertEquals(writers, [
    // The folder of a client's configuration that a human names with -o.
    "cli/install.ts",
    // The one file that a human names with -o or --html.
    "cli/output.ts",
    // Asks whether two folders are on one mount, by renaming a name that neither has.
    "reclaim/mounts.ts",
    // Deletes what a scan of Reclaim found, inside the roots, by way of a quarantine.
    "reclaim/remove.ts",
    // The log of what was written.
    "redact/audit_log.ts",
    // A private copy beside the database.
    "redact/database.ts",
    // The steps that every change is made of.
    "redact/disk.ts",
    // Removes the folder of that copy when a human ended the work on it.
    "redact/ending.ts",
    // Locks a database, and removes the empty log that SQLite makes for that.
    "redact/hold.ts",
    // What stands beside a history while it is redacted, and is cleared when that was killed.
    "redact/leftovers.ts",
    // Puts backups back, and deletes them.
    "redact/restore.ts",
    // The one way in which a history is redacted.
    "redact/write.ts",
  ]);
});

Deno.test("only src/engine/redact uses what writes, and nothing of src/redact knows a protocol", () => {
  const users = [...modules()].filter(({ path, text }) =>
    !path.startsWith("redact/") &&
    /from "[^"]*redact\/(?:write|file|backups|database|disk|hold|leftovers|restore)\.ts"/.test(text)
  );
  const running = users.filter(({ text }) =>
    /import \{[^}]*\} from "[^"]*redact\/(?:write|file|backups|database|disk|hold|leftovers|restore)\.ts"/.test(text)
  );
  assertEquals(running.map(({ path }) => path), ["engine/redact/worker.ts"]);
  for (const { path, text } of modules()) {
    if (!path.startsWith("redact/")) continue;
    assert(!/from "[^"]*(?:\/mcp\/|\/cli\/|\/serve\/|\/engine\/|modelcontextprotocol)/.test(text), path);
  }
});

Deno.test("no type that leaves the redacting worker has a field for a secret", () => {
  const types = Deno.readTextFileSync(new URL("engine/redact/types.ts", SRC)) +
    Deno.readTextFileSync(new URL("engine/redact/report.ts", SRC));
  assertEquals(types.match(/\b(?:secret|value|values|plaintext|match)\b\s*[?:]/g), null);
});
