import { assert, assertEquals } from "@std/assert";
import { SOURCES, stringsOf } from "../../src/history/mod.ts";
import { redactFile } from "../../src/redact/file.ts";
import { lastEntries, pathHash } from "../../src/redact/audit_log.ts";
import { backupOf } from "../../src/redact/names.ts";
import { restoreHistory } from "../../src/redact/restore.ts";
import { scanText } from "../../src/secrets/mod.ts";
import { buildHistories } from "../../tools/fixtures/mod.ts";
import { found, hostAt, resolved, withHome } from "../history/_machine.ts";
import { plaintextsIn, rest, secret, settingsFor } from "./_histories.ts";

for (const { key } of SOURCES) {
  Deno.test(`${key}: redacted, nothing is found; redacted again, nothing changes; undone, the bytes are the same`, () =>
    withHome(async (home) => {
      const host = hostAt(home);
      const source = resolved(key, host);
      const planted = buildHistories([key], host, { plant: secret });
      const secrets = planted.map(({ text }) => text);
      const { files } = await found([source]);
      const before = new Map(files.map(({ path }) => [path, Deno.readFileSync(path)]));
      for (const { path } of files) rest(path);
      const times = new Map(files.map(({ path }) => [path, Deno.lstatSync(path).mtime?.getTime()]));

      const settings = settingsFor(home, home);
      let redacted = 0;
      for (const file of files) {
        const result = await redactFile(file, settings);
        assert(result.kind !== "skipped", `${file.relpath}: ${result.kind === "skipped" && result.reason}`);
        if (result.kind === "redacted") redacted++;
      }
      assertEquals(redacted, new Set(planted.map(({ file }) => file)).size);
      for (const file of files) {
        assertEquals(plaintextsIn(Deno.readFileSync(file.path), secrets), [], file.relpath);
        for await (const { text } of stringsOf(file, ({ reason }) => assert(false, reason))) {
          assertEquals(scanText(text).map(({ rule }) => rule), [], file.relpath);
        }
      }
      for (const file of files) assertEquals((await redactFile(file, settings)).kind, "clean");

      const log = lastEntries(settings.logPath, ["redact"]);
      assertEquals(plaintextsIn(Deno.readFileSync(settings.logPath), secrets), []);
      for (const { path, format } of files) {
        const entry = log.get(pathHash(path));
        if (!entry) continue;
        assertEquals(Deno.lstatSync(backupOf(path)).mode! & 0o777, 0o600);
        const expected = [entry.sha256_after!];
        const isDatabase = format === "sqlite";
        restoreHistory({ path, expected, entry, isDatabase, logPath: settings.logPath, shown: String });
      }
      for (const [path, bytes] of before) {
        assertEquals(Deno.readFileSync(path), bytes, path);
        assertEquals(Deno.lstatSync(path).mtime?.getTime(), times.get(path));
      }
    }));
}
