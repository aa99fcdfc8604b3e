import { assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { lastRedactions, openAuditLog } from "../../src/redact/audit_log.ts";
import { unixTest } from "../support/system.ts";
import { command, withDir } from "../support/tree.ts";

unixTest("attack: a pipe in the place of the audit log is refused, and nobody waits for it", () =>
  withDir((dir) => {
    const path = join(dir, "audit.jsonl");
    command("mkfifo", [path]);
    assertThrows(() => openAuditLog(path), Error);
    assertEquals(lastRedactions(path).size, 0);
  }));

unixTest("attack: a link in the place of the audit log is not followed", () =>
  withDir((dir) => {
    const [path, elsewhere] = [join(dir, "audit.jsonl"), join(dir, "elsewhere")];
    Deno.writeTextFileSync(elsewhere, "mine\n");
    Deno.symlinkSync(elsewhere, path);
    assertThrows(() => openAuditLog(path), Error);
    assertEquals(lastRedactions(path).size, 0);
    assertEquals(Deno.readTextFileSync(elsewhere), "mine\n");
  }));
