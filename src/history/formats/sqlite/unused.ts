/**
 * What a database's file holds outside of its content: free pages, the gaps within pages, and the rest of the last page of
 * a long cell. Deleted rows live on there until SQLite needs the space.
 *
 * @module
 */
import type { Emit } from "../strings.ts";
import type { Visited } from "./btree.ts";
import { u16, u32 } from "./bytes.ts";
import type { Pages } from "./pages.ts";

/** Takes unused bytes of a page, valid until it returns. */
export type OnUnused = (page: number, bytes: Uint8Array) => void;

/** Where what is found in unused space is said to be; its line is the page's number, counted from 1. */
export const UNUSED = "(unused space)";

const FIRST_TRUNK = 32;
/** How many free pages are read in one step. */
const PAGES_AT_ONCE = 64;
/** What is shorter is no secret. */
const SHORTEST = 4;

/** Gives the gaps of a page with cells to `unused`: in front of its cells, and the blocks freed among them. */
export function readGaps(
  number: number,
  page: Uint8Array,
  { header, pointers, usable }: { header: number; pointers: number; usable: number },
  unused: OnUnused,
): void {
  const content = u16(page, header + 5) || 65536;
  unused(number, page.subarray(pointers, Math.min(content, usable)));
  // Blocks that overlap are damage, and could say the same bytes thousands of times.
  let last = pointers;
  for (let block = u16(page, header + 1); block >= last && block + 4 <= usable; block = u16(page, block)) {
    last = block + Math.max(4, u16(page, block + 2));
    unused(number, page.subarray(block + 4, Math.min(usable, last)));
  }
}

/** Gives free pages to `unused`, some at a step. A list that leads nowhere ends there. */
export function* readFreePages(pages: Pages, visited: Visited, unused: OnUnused): Generator<void> {
  const trunk = new Uint8Array(pages.pageSize);
  const leaf = new Uint8Array(pages.pageSize);
  if (!pages.read(1, trunk)) return;
  let read = 0;
  for (let next = u32(trunk, FIRST_TRUNK); visited.visit(next) && pages.read(next, trunk); next = u32(trunk, 0)) {
    const leaves = Math.min(u32(trunk, 4), pages.pageSize / 4 - 2);
    unused(next, trunk.subarray(8 + 4 * leaves, pages.usable));
    for (let index = 0; index < leaves; index++) {
      const number = u32(trunk, 8 + 4 * index);
      if (visited.visit(number) && pages.read(number, leaf)) unused(number, leaf);
      if (++read % PAGES_AT_ONCE === 0) yield;
    }
  }
}

/** Gives out unused bytes as texts. */
export function emitUnused(emit: Emit, { encoding }: Pages): OnUnused {
  // Where a text begins is not known: UTF-16 is given out as its bytes, in which whoever scans it finds it again.
  const decoder = new TextDecoder(encoding === "utf-8" ? "utf-8" : "latin1", { ignoreBOM: true });
  return (page, bytes) => {
    let start = 0;
    let end = bytes.length;
    while (start < end && bytes[start] === 0) start++;
    while (end > start && bytes[end - 1] === 0) end--;
    if (end - start < SHORTEST) return;
    const cell = { table: UNUSED, column: UNUSED, row: BigInt(page) };
    const text = decoder.decode(bytes.subarray(start, end));
    emit({ text, line: page, keypath: UNUSED, start, end, form: "text", key: false, part: 0, cell });
  };
}
