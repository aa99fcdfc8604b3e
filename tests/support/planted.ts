/**
 * A machine on which every kind of secret has leaked, in every form that histories have.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { join } from "@std/path";
import { ruleCatalogue } from "../../src/secrets/mod.ts";
import { findingOf } from "../../src/secrets/scan.ts";
import { createMachine, type Machine, type Sample, samples, settle, type Watch, watchFor } from "./audit.ts";

/** A machine full of secrets. */
export interface PlantedMachine extends Machine {
  /** What was planted. */
  readonly planted: readonly Sample[];
  /** Watches for all of it. */
  readonly watch: Watch;
  /** Watches for those that look neither like an id nor like words. */
  readonly mixed: Watch;
}

/** What every record of these histories says beside the secrets. */
const PLAIN = [
  "sessionId type user message content parts cwd -work-shop conversation api_conversation_history.json",
  // Of a key block the mask shows its kind, and before it stands a blank in the block, too.
  " PRIVATE KEY",
  "ChatSessionStateTemp component workspace rollout-2026-11-30T10-00-00 .claude/projects chat-messages",
];

const encoder = new TextEncoder();
const lines = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record) + "\n").join("");
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll("\n", "&#10;");

/** Whether a secret can be a name of a file. */
const isName = (text: string) => /^[^/\\\0\n]{8,200}$/.test(text) && encoder.encode(text).length <= 200;

/** Plants one secret of each rule in every format, as values, keys, names, and in torn lines. */
export async function createPlantedMachine(): Promise<PlantedMachine> {
  const machine = await createMachine();
  const { home, sessions } = machine;
  const planted = samples();
  const texts = planted.map(({ text }) => text);
  const secrets = [...new Set(planted.flatMap(({ spans }) => spans.map(({ secret }) => secret)))];

  await machine.write(
    `${sessions}/values.jsonl`,
    lines(texts.map((content) => ({ type: "user", message: { content } }))),
  );
  // What a tool printed is often JSON in JSON.
  await machine.write(
    ".codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-nested.jsonl",
    lines(texts.map((text) => ({ payload: { output: JSON.stringify({ stdout: text }) } }))),
  );
  await machine.write(
    ".codex/sessions/2026/11/30/rollout-2026-11-30T10-00-01-packed.jsonl.zst",
    zstdCompressSync(encoder.encode(lines(texts.map((text) => ({ payload: { text } }))))),
  );
  await machine.write(
    `${sessions}/keys.jsonl`,
    lines(secrets.map((secret) => ({ env: { [secret]: { deep: 1, t: secret } } }))),
  );
  await machine.write(
    `${sessions}/torn.jsonl`,
    texts.map((text) => JSON.stringify({ text }).slice(0, -2) + "\n").join(""),
  );
  await machine.write(`${sessions}/last.jsonl`, `${lines([{ ok: 1 }])}{"text":${JSON.stringify(texts[0])}`);
  await machine.write(`${sessions}/plain.jsonl.bak`, texts.join("\n"));
  await machine.write(
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
    JSON.stringify(texts.map((text) => ({ role: "user", content: [{ type: "text", text }], [text]: text })), null, 1),
  );
  await machine.write(".continue/sessions/1.json", JSON.stringify({ history: texts }));
  await machine.write("work/shop/.aider.chat.history.md", texts.map((text) => `#### ${text}\n\n`).join(""));
  await machine.write(
    ".config/JetBrains/IU2026/workspace/1.xml",
    `<project><component name="ChatSessionStateTemp">${
      texts.map((text) => `<option name="content" value="${escaped(text)}" /><t>${escaped(text)}</t>`).join("\n")
    }</component></project>`,
  );
  await plantDatabases(machine, texts, secrets);
  for (const [index, secret] of secrets.filter(isName).entries()) {
    const path = index % 2 === 0 ? `${sessions}/${secret}/x.jsonl` : `${sessions}/${secret}.jsonl`;
    await machine.write(path, lines([{ text: texts[index % texts.length] }]));
  }
  // Bytes in no encoding, and a file that is cut within a character.
  await machine.write(
    `${sessions}/bytes.jsonl`,
    concat(texts.map((text, index) => [index, 0xff, 0xfe, text, 0x0a, 0xc3])),
  );

  const masks = planted.flatMap(({ spans }) => spans.map((span) => findingOf(span).masked));
  const innocent = [...PLAIN, JSON.stringify(ruleCatalogue()), home, ...masks];
  const mixed = secrets.flatMap((secret) => secret.match(/[A-Za-z0-9]{8,}/g) ?? [])
    .filter((run) => /[G-Zg-z]/.test(run) && /\d.*[A-Za-z].*\d/.test(run));
  return { ...machine, planted, watch: watchFor(secrets, innocent), mixed: watchFor(mixed, innocent) };
}

function concat(rows: readonly (readonly (number | string)[])[]): Uint8Array {
  return Uint8Array.from(
    rows.flat().flatMap((part) => typeof part === "string" ? [...encoder.encode(part)] : [part & 255]),
  );
}

async function plantDatabases({ home }: Machine, texts: readonly string[], secrets: readonly string[]): Promise<void> {
  const open = async (path: string) => {
    await Deno.mkdir(join(home, path, ".."), { recursive: true });
    return new DatabaseSync(join(home, path));
  };
  const quoted = (name: string) => `"${name.replaceAll('"', '""').replaceAll("\0", "")}"`;
  const chats = await open(".local/share/opencode/opencode.db");
  chats.exec("CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT); BEGIN");
  chats.exec("CREATE TABLE message (id TEXT PRIMARY KEY, data TEXT); CREATE TABLE session (id TEXT, title TEXT)");
  for (const [index, text] of texts.entries()) {
    chats.prepare("INSERT INTO part VALUES (?, ?, ?)").run(`p${index}`, text, JSON.stringify({ type: "text", text }));
    chats.prepare("INSERT INTO session VALUES (?, ?)").run(`s${index}`, text);
  }
  chats.exec("COMMIT");
  chats.close();
  // Tables and columns that are secrets themselves.
  const shell = await open(".kiro/history.db");
  shell.exec("BEGIN");
  // SQLite takes names that differ in case alone for the same.
  const names = new Map(secrets.filter(({ length }) => length < 500).map((secret) => [secret.toLowerCase(), secret]));
  for (const secret of [...names.values()].slice(0, 200)) {
    shell.exec(`CREATE TABLE ${quoted(secret)} (${quoted(secret + "_")} TEXT)`);
    shell.prepare(`INSERT INTO ${quoted(secret)} VALUES (?)`).run(`token ${secret}`);
  }
  shell.exec("COMMIT");
  shell.close();
  for (const path of [".local/share/opencode/opencode.db", ".kiro/history.db"]) await settle(join(home, path));
}
