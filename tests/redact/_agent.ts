/**
 * An agent that uses a database in a process of its own: `leave` writes into the log and is killed, `idle` has it open and
 * writes once it is told to, `wait` opens it and waits for its turn to write.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";

const [deed, path] = Deno.args as [string, string];
const say = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));

const database = new DatabaseSync(path, { timeout: deed === "wait" ? 5000 : 0 });
database.exec("PRAGMA wal_autocheckpoint = 0");
if (deed === "idle") database.prepare("SELECT count(*) FROM t").get();
say("open");
if (deed === "idle") Deno.stdin.readSync(new Uint8Array(1));
try {
  for (let row = 0; row < 50; row++) database.prepare("INSERT INTO t VALUES (?)").run(`newer ${row}`);
  say("wrote");
} catch (error) {
  say(`failed: ${error}`);
}
if (deed === "leave") Deno.kill(Deno.pid, "SIGKILL");
database.close();
