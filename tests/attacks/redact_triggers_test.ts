import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { redactFile } from "../../src/redact/file.ts";
import { withDir } from "../support/tree.ts";
import { fileAt, rest, secret, settingsFor } from "../redact/_histories.ts";

const TRIGGERS = "CREATE TRIGGER tr AFTER UPDATE ON m BEGIN SELECT 1; SELECT ';'; END;\n" +
  "CREATE TRIGGER other_tr AFTER INSERT ON m BEGIN UPDATE other SET x = 'no'; END;";

/** Node's types do not know the first. */
const WRITABLE_SCHEMA = { defensive: false, readOnly: false };

function plantDatabase(dir: string, change: string): string {
  Deno.mkdirSync(`${dir}/store`);
  const path = `${dir}/store/history.sqlite`;
  const database = new DatabaseSync(path, WRITABLE_SCHEMA);
  database.exec(
    `CREATE TABLE m (t TEXT); CREATE TABLE other (x TEXT); INSERT INTO other VALUES ('keep me')`,
  );
  database.prepare("INSERT INTO m VALUES (?)").run(secret(1));
  database.exec(TRIGGERS);
  if (change !== "") {
    database.exec("PRAGMA writable_schema = ON");
    database.prepare(`UPDATE sqlite_schema SET sql = ${change} WHERE type = 'trigger'`).run();
  }
  database.close();
  rest(path);
  return path;
}

function read(path: string): unknown[] {
  const database = new DatabaseSync(path);
  try {
    return [
      database.prepare("SELECT x FROM other").all().map(({ x }) => x),
      database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").all().map(({ sql }) => sql),
    ];
  } finally {
    database.close();
  }
}

for (
  const [name, change] of [
    ["a second statement", `sql || '; UPDATE other SET x = ''changed'''`],
    ["a second statement behind a comment", `sql || ' /* */ ; -- x' || char(10) || 'DELETE FROM other'`],
  ] as const
) {
  Deno.test(`${name} that stands behind a trigger in the schema is not executed`, () =>
    withDir(async (dir) => {
      const path = plantDatabase(dir, change);
      const before = Deno.readFileSync(path);
      const result = await redactFile(fileAt(path, "sqlite", `${dir}/store`), settingsFor(`${dir}/store`, dir));
      assert(result.kind === "skipped", JSON.stringify(result));
      assertStringIncludes(result.reason, "single statement");
      assertEquals(Deno.readFileSync(path), before);
    }));
}

Deno.test("triggers stay as they are, and do not run", () =>
  withDir(async (dir) => {
    const path = plantDatabase(dir, "");
    const before = read(path);
    const result = await redactFile(fileAt(path, "sqlite", `${dir}/store`), settingsFor(`${dir}/store`, dir));
    assertEquals(result.kind, "redacted", JSON.stringify(result));
    assertEquals(read(path), before);
  }));
