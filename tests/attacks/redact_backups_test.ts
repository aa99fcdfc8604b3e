import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { purgeBackup, restoreBackup } from "../../src/redact/backups.ts";
import { redactFile, type RedactSettings } from "../../src/redact/file.ts";
import { backupOf } from "../../src/redact/names.ts";
import { withDir } from "../support/tree.ts";
import { fileAt, rest, secret, settingsFor } from "../redact/_histories.ts";

interface Store {
  readonly path: string;
  redact(more?: Partial<RedactSettings>): Promise<void>;
  purge(): void;
  /** Plants a backup, and tells why it is not put back. */
  foreign(content: string | Uint8Array): string;
}

function plantStore(dir: string): Store {
  const root = `${dir}/store`;
  const path = `${root}/history.jsonl`;
  Deno.mkdirSync(root);
  Deno.writeTextFileSync(path, `{"a":"${secret(1)}"}\n`);
  rest(path);
  const settings = settingsFor(root, dir);
  const backup = () => ({ ...fileAt(backupOf(path), "jsonl", root), backup: true });
  return {
    path,
    async redact(more) {
      const result = await redactFile(fileAt(path, "jsonl", root), { ...settings, ...more });
      assertEquals(result.kind, "redacted", JSON.stringify(result));
    },
    purge: () => assertEquals(purgeBackup(backup(), settings).kind, "deleted"),
    foreign(content) {
      Deno.writeFileSync(backupOf(path), typeof content === "string" ? new TextEncoder().encode(content) : content);
      const before = Deno.readTextFileSync(path);
      const result = restoreBackup(backup(), settings);
      assert(result.kind === "skipped", JSON.stringify(result));
      assertEquals(Deno.readTextFileSync(path), before);
      assert(Deno.lstatSync(backupOf(path)).isFile);
      return result.reason;
    },
  };
}

Deno.test("undo leaves somebody else's backup beside a file that was redacted without one", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    await store.redact({ keepsBackup: false });
    assertStringIncludes(store.foreign("mine\n"), "kept no backup");
    assertStringIncludes(store.foreign(""), "kept no backup");
  }));

Deno.test("undo leaves a backup that was put there after a purge", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    await store.redact();
    store.purge();
    assertStringIncludes(store.foreign("x\n"), "not what the redaction kept");
    assertStringIncludes(store.foreign(""), "not what the redaction kept");
  }));

Deno.test("undo leaves a backup that lost its end, or was changed", () =>
  withDir(async (dir) => {
    const store = plantStore(dir);
    await store.redact();
    const kept = Deno.readFileSync(backupOf(store.path));
    assertStringIncludes(store.foreign(kept.subarray(0, -1)), "not what the redaction kept");
    assertStringIncludes(store.foreign(""), "not what the redaction kept");
  }));
