/**
 * Clears what a database file holds outside of its content: free pages, the gaps within pages, and the rest of the last
 * page of a long cell, where deleted rows live on. `VACUUM` would do it, but attaches a second database, which Deno's
 * sandbox forbids.
 *
 * @module
 */

import { localBytes } from "../history/formats/sqlite/btree.ts";
import { varint } from "../history/formats/sqlite/bytes.ts";

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;
const FILE_HEADER = 100;

/** Overwrites the unused bytes of a database with zeros, in place. `roots` are the root pages of its schema. */
export function clearUnused(file: Uint8Array, roots: readonly number[]): void {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const stored = view.getUint16(16);
  const size = stored === 1 ? 65536 : stored;
  const usable = size - view.getUint8(20);
  const pages = Math.floor(file.length / size);
  const begin = (page: number) => (page - 1) * size;
  const seen = new Uint8Array(pages + 1);
  const isNew = (page: number) => page >= 1 && page <= pages && seen[page] === 0;

  for (let trunk = view.getUint32(32); isNew(trunk);) {
    seen[trunk] = 1;
    const at = begin(trunk);
    const leaves = Math.min(view.getUint32(at + 4), size / 4 - 2);
    for (let index = 0; index < leaves; index++) {
      const leaf = view.getUint32(at + 8 + index * 4);
      if (!isNew(leaf)) continue;
      seen[leaf] = 1;
      file.fill(0, begin(leaf), begin(leaf) + size);
    }
    file.fill(0, at + 8 + leaves * 4, at + usable);
    trunk = view.getUint32(at);
  }
  /** Clears what is behind a payload that begins at `begins` in a page and goes on in pages of its own. */
  function clearBehind(payload: number, begins: number, isIndex: boolean): void {
    const local = localBytes(payload, usable, isIndex);
    let left = payload - local;
    if (left <= 0 || begins + local + 4 > file.length) return;
    for (let page = view.getUint32(begins + local); isNew(page); page = view.getUint32(begin(page))) {
      seen[page] = 1;
      const rest = begin(page) + 4 + left;
      if (left <= usable - 4) return void file.fill(0, rest, begin(page) + usable);
      left -= usable - 4;
    }
  }

  const waiting = [1, ...roots];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    if (!isNew(page)) continue;
    seen[page] = 1;
    const at = begin(page);
    const header = at + (page === 1 ? FILE_HEADER : 0);
    const kind = view.getUint8(header);
    const isInterior = kind === INTERIOR_INDEX || kind === INTERIOR_TABLE;
    if (!isInterior && kind !== LEAF_INDEX && kind !== LEAF_TABLE) continue;
    const cells = view.getUint16(header + 3);
    const pointers = header + (isInterior ? 12 : 8);
    const content = at + (view.getUint16(header + 5) || 65536);
    file.fill(0, pointers + cells * 2, Math.min(content, at + usable));
    let last = 0;
    for (let block = view.getUint16(header + 1); block > last && block + 4 <= usable;) {
      file.fill(0, at + block + 4, at + Math.min(usable, block + view.getUint16(at + block + 2)));
      last = block;
      block = view.getUint16(at + block);
    }
    if (isInterior) waiting.push(view.getUint32(header + 8));
    for (let index = 0; index < cells; index++) {
      const cell = at + view.getUint16(pointers + index * 2);
      if (isInterior) waiting.push(view.getUint32(cell));
      if (kind === INTERIOR_TABLE) continue;
      const { value: payload, next } = varint(file, isInterior ? cell + 4 : cell);
      clearBehind(payload, kind === LEAF_TABLE ? varint(file, next).next : next, kind !== LEAF_TABLE);
    }
  }
}
