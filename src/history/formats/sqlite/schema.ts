/**
 * What a `CREATE` statement says about how rows are stored. The statement comes from the file, so it is only ever read,
 * never run.
 *
 * @module
 */

/** How a table stores its rows. */
export interface TableSchema {
  /** Names of the values of a stored row, in stored order. */
  readonly columns: readonly string[];
}

/** What a virtual table is made with. */
export interface ModuleCall {
  /** The module's name in lower case. */
  readonly module: string;
  /** Its options, such as `content`, as they are written, without quotes. */
  readonly options: ReadonlyMap<string, string>;
}

interface Token {
  readonly kind: "name" | "quoted" | "sign";
  readonly text: string;
}

// What is opened and never closed reaches to the end: so every position is looked at once, whatever the statement.
const TOKEN = new RegExp(
  [
    /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/,
    /"((?:[^"]|"")*)"?/,
    /`((?:[^`]|``)*)`?/,
    /\[([^\]]*)\]?/,
    /'((?:[^']|'')*)'?/,
    /([\p{L}_][\p{L}\p{N}_$]*)/u,
    /([^\s])/,
  ].map(({ source }) => source).join("|"),
  "gu",
);

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const [, double, back, bracket, single, name, sign] of sql.matchAll(TOKEN)) {
    const quoted = double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? bracket ??
      single?.replaceAll("''", "'");
    if (quoted !== undefined) tokens.push({ kind: "quoted", text: quoted });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
  }
  return tokens;
}

const isSign = (token: Token | undefined, text: string): boolean => token?.kind === "sign" && token.text === text;
const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === "name" && token.text.toUpperCase() === word;

/** Splits what stands in the first pair of parentheses at its commas, and returns what follows them. */
function splitBody(tokens: readonly Token[]): { parts: Token[][]; rest: Token[] } | undefined {
  const begin = tokens.findIndex((token) => isSign(token, "("));
  if (begin < 0) return undefined;
  const parts: Token[][] = [[]];
  let depth = 0;
  for (let index = begin + 1; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (isSign(token, ")") && depth-- === 0) return { parts, rest: tokens.slice(index + 1) };
    if (isSign(token, "(")) depth++;
    if (isSign(token, ",") && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return undefined;
}

const CONSTRAINTS = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];

const isConstraint = (part: readonly Token[]): boolean => CONSTRAINTS.some((word) => isWord(part[0], word));

/** The words of a definition that stand in no parentheses, in upper case. */
function plainWords(part: readonly Token[]): string[] {
  let depth = 0;
  return part.flatMap((token) => {
    if (isSign(token, "(")) depth++;
    if (isSign(token, ")")) depth--;
    return depth === 0 && token.kind === "name" ? [token.text.toUpperCase()] : [];
  });
}

/** Whether a column is computed whenever it is read, and so is not stored. */
function isVirtual(part: readonly Token[]): boolean {
  const as = part.findIndex((token, index) => index > 0 && isWord(token, "AS") && isSign(part[index + 1], "("));
  return as > 0 && !plainWords(part.slice(as)).includes("STORED");
}

/** The columns of the primary key, in its order. */
function primaryKey(parts: readonly Token[][]): string[] {
  for (const part of parts) {
    const words = plainWords(part);
    const isKey = words.some((word, index) => word === "PRIMARY" && words[index + 1] === "KEY");
    if (!isKey) continue;
    if (!isConstraint(part)) return [part[0]?.text ?? ""];
    return splitBody(part)?.parts.map((column) => column[0]?.text ?? "") ?? [];
  }
  return [];
}

/** Reads how a table stores its rows; undefined where the statement is not understood. */
export function readTable(sql: string): TableSchema | undefined {
  const body = splitBody(tokenize(sql));
  if (body === undefined) return undefined;
  const columns = body.parts
    .filter((part) => part.length > 0 && !isConstraint(part) && !isVirtual(part))
    .map((part) => part[0]?.text ?? "");
  if (!plainWords(body.rest).join(" ").includes("WITHOUT ROWID")) return { columns };
  // Such a table is an index: the columns of its key stand first.
  const byName = new Map(columns.map((name) => [name.toLowerCase(), name]));
  const key = new Set(primaryKey(body.parts).flatMap((name) => byName.get(name.toLowerCase()) ?? []));
  return { columns: [...key, ...columns.filter((name) => !key.has(name))] };
}

/** Reads what a virtual table is made with; undefined for any other statement. */
export function readModule(sql: string): ModuleCall | undefined {
  const tokens = tokenize(sql);
  if (!isWord(tokens[1], "VIRTUAL")) return undefined;
  const using = tokens.findIndex((token) => isWord(token, "USING"));
  const module = tokens[using + 1];
  if (using < 0 || module === undefined) return undefined;
  const options = new Map<string, string>();
  for (const part of splitBody(tokens)?.parts ?? []) {
    const [name, equals, setting] = part;
    if (name !== undefined && isSign(equals, "=")) options.set(name.text.toLowerCase(), setting?.text ?? "");
  }
  return { module: module.text.toLowerCase(), options };
}

/** The tables that hold nothing but an index of text which another table holds in full. */
const INDEX_TABLES: Readonly<Record<string, readonly string[]>> = {
  fts5: ["_data", "_idx", "_docsize", "_config"],
  fts4: ["_segments", "_segdir", "_docsize", "_stat"],
  fts3: ["_segments", "_segdir"],
};

/**
 * Names of the tables that a full-text index keeps itself in, in lower case, where its text can be read elsewhere: in
 * its own content table, or in a table of the database that it names.
 *
 * @param name of the virtual table
 * @param readable whether the database has a table or view of this name
 */
export function indexTables(name: string, call: ModuleCall, readable: (table: string) => boolean): string[] {
  const content = call.options.get("content") ?? `${name}_content`;
  if (content === "" || !readable(content)) return [];
  return (INDEX_TABLES[call.module] ?? []).map((suffix) => (name + suffix).toLowerCase());
}
