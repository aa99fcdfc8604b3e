/**
 * Looks for what a redaction left, and for what it should not have changed.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { join } from "@std/path";
import { asUtf8, cellsOf, indexesOf, isDatabase, unpacked, withDatabase } from "./content.ts";
import { mergedHits, type Search } from "./search.ts";
import { compareSplice, type Splice } from "./splice.ts";
import type { Tree } from "./tree.ts";

/** A secret that is there. */
export interface Left {
  /** Path below the root. */
  readonly file: string;
  /** Where in it, in words. */
  readonly where: string;
  readonly secret: string;
}

const BACKUP = ".bak";

/** Searches every file of a tree in every way: its bytes, unpacked, decoded, each cell, each full-text index. */
export function leftIn(root: string, tree: Tree, search: Search, withBackups = false): Left[] {
  const left = new Map<string, Left>();
  for (const [file, entry] of tree) {
    if (entry === "folder" || (!withBackups && file.endsWith(BACKUP))) continue;
    const note = (where: string, secret: string) => left.set(`${file}\0${secret}`, { file, where, secret });
    for (const [where, secret] of leftInFile(join(root, file), search)) note(where, secret);
  }
  return [...left.values()];
}

function* leftInFile(path: string, search: Search): Generator<[where: string, secret: string]> {
  const bytes = Deno.readFileSync(path);
  let readings: Uint8Array[] = [bytes];
  try {
    readings = [bytes, unpacked(bytes), asUtf8(bytes)];
  } catch {
    // Damaged: its bytes are what there is.
  }
  for (const reading of new Set(readings)) {
    for (const { start, text } of search.in(reading)) yield [`byte ${start} of ${reading.length}`, search.texts[text]!];
  }
  if (!isDatabase(bytes)) return;
  yield* withDatabase(path, (database) => {
    const found: [string, string][] = [];
    for (const { place, bytes } of cellsOf(database)) {
      const plain = unpacked(bytes);
      if (plain === bytes) continue;
      for (const { text } of search.in(plain)) found.push([place, search.texts[text]!]);
    }
    for (const index of indexesOf(database)) {
      const find = database.prepare(`SELECT 1 FROM "${index}" WHERE "${index}" MATCH ? LIMIT 1`);
      for (const secret of search.texts) {
        if (find.get(`"${secret.replaceAll('"', '""')}"`)) found.push([`index ${index}`, secret]);
      }
    }
    return found;
  });
}

/** What a redaction did to the files of a tree. */
export interface Changes {
  /** Places that a marker stands for. */
  markers: number;
  /** Planted places that stayed. */
  untouched: number;
  /** Bytes replaced around planted ones. */
  beyond: number;
  /** Markers where nothing was planted, by rule. */
  readonly unplanted: Map<string, number>;
  /** What is not as it should be. */
  readonly broken: string[];
}

/** Compares the files of two trees, of which `after` is what a redaction made of `before`. */
export function compareTrees(before: string, after: string, files: readonly string[], search: Search): Changes {
  const changes: Changes = { markers: 0, untouched: 0, beyond: 0, unplanted: new Map(), broken: [] };
  const take = (place: string, { markers, untouched, beyond, unplanted, broken }: Splice) => {
    changes.markers += markers;
    changes.untouched += untouched;
    changes.beyond += beyond;
    for (const rule of unplanted) changes.unplanted.set(rule, (changes.unplanted.get(rule) ?? 0) + 1);
    if (broken !== null) changes.broken.push(`${place}: ${broken}`);
  };
  for (const file of files) {
    const [old, now] = [Deno.readFileSync(join(before, file)), Deno.readFileSync(join(after, file))];
    if (isDatabase(old)) compareDatabases(join(before, file), join(after, file), file, search, take, changes.broken);
    else {
      const [was, is] = [old, now].map((bytes) => asUtf8(unpacked(bytes))) as [Uint8Array, Uint8Array];
      if (Buffer.compare(old.subarray(0, 2), now.subarray(0, 2)) !== 0) {
        changes.broken.push(`${file}: begins otherwise`);
      }
      take(file, compareSplice(was, is, mergedHits(search.in(was))));
    }
  }
  return changes;
}

function compareDatabases(
  before: string,
  after: string,
  file: string,
  search: Search,
  take: (place: string, splice: Splice) => void,
  broken: string[],
): void {
  withDatabase(before, (old) =>
    withDatabase(after, (now) => {
      const { integrity_check: verdict } = now.prepare("PRAGMA integrity_check").get() ?? {};
      if (verdict !== "ok") broken.push(`${file}: integrity_check says ${verdict}`);
      for (const pragma of ["user_version", "application_id", "encoding", "journal_mode", "page_size", "auto_vacuum"]) {
        const [was, is] = [old, now].map((database) => database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
        if (was !== is) broken.push(`${file}: ${pragma} is ${is} and was ${was}`);
      }
      const schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
      const [was, is] = [old, now].map((database) => JSON.stringify(database.prepare(schema).all()));
      if (was !== is) broken.push(`${file}: the schema is another`);
      const cells = cellsOf(now);
      for (const cell of cellsOf(old)) {
        const { value: other } = cells.next();
        if (!other || other.place !== cell.place || other.kind !== cell.kind) {
          broken.push(`${file}: ${cell.place} is not there as it was`);
          return;
        }
        if (Buffer.compare(cell.bytes, other.bytes) === 0) continue;
        const [was, is] = [cell, other].map(({ bytes }) => unpacked(bytes)) as [Uint8Array, Uint8Array];
        take(`${file}: ${cell.place}`, compareSplice(was, is, mergedHits(search.in(was))));
      }
      if (!cells.next().done) broken.push(`${file}: there are more rows`);
    }));
}
