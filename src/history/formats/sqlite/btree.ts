/**
 * Walks the rows of a table. It recurses nowhere, visits no page twice, and goes on behind a damaged page.
 *
 * @module
 */
import { rowid, u16, u32, varint } from "./bytes.ts";
import type { Pages } from "./pages.ts";
import { type OnUnused, readGaps } from "./unused.ts";

/** The content of a row, of any length, read from front to back. */
export interface Payload {
  /** Its length in bytes. */
  readonly length: number;
  /**
   * Its next bytes, at most as many as asked for; empty behind the end or where the database is damaged. They are valid
   * until the next ones are asked for.
   */
  next(most: number): Uint8Array;
}

/** A row of a table. */
export interface Row {
  /** Its rowid, or undefined in a table without rowids. */
  readonly rowid: bigint | undefined;
  /** Its content; to be read before the next row is asked for. */
  readonly payload: Payload;
}

/** Remembers which pages were visited; a page that comes up twice is a sign of damage. */
export interface Visited {
  /** Marks a page and tells whether it exists and was not marked before. */
  visit(page: number): boolean;
}

/** Creates a memory for as many pages as there are. */
export function createVisited(pages: Pages): Visited {
  const bits = new Uint8Array((pages.count >> 3) + 1);
  return {
    visit(page) {
      if (page < 1 || page > pages.count) return false;
      const [index, bit] = [page >> 3, 1 << (page & 7)];
      if (((bits[index] as number) & bit) !== 0) return false;
      bits[index] = (bits[index] as number) | bit;
      return true;
    },
  };
}

const INDEX_NODE = 2;
const TABLE_NODE = 5;
const INDEX_LEAF = 10;
const TABLE_LEAF = 13;
const FIRST_PAGE_HEADER = 100;
/** SQLite makes no cell shorter than this. */
const LEAST_CELL_BYTES = 4;

/** How much of a payload stands in the cell itself; `index` says whether the page is that of an index. */
export function localBytes(length: number, usable: number, index: boolean): number {
  const most = index ? Math.floor((usable - 12) * 64 / 255) - 23 : usable - 35;
  if (length <= most) return length;
  const least = Math.floor((usable - 12) * 32 / 255) - 23;
  const fitting = least + (length - least) % (usable - 4);
  return fitting <= most ? fitting : least;
}

/** Creates the payload that begins at an index of a page. What does not stand there is read into the spare page. */
function createPayload(
  pages: Pages,
  visited: Visited,
  damaged: () => void,
  page: Uint8Array,
  from: number,
  length: number,
  index: boolean,
  spare: Uint8Array,
  unused: OnUnused,
): Payload {
  const local = localBytes(length, pages.usable, index);
  let chunk = page.subarray(from, Math.min(from + local, pages.usable));
  let following = local < length ? u32(page, from + local) : 0;
  let left = length;

  function fail(): Uint8Array {
    damaged();
    left = 0;
    return new Uint8Array(0);
  }

  return {
    length,
    next(most) {
      if (left === 0) return new Uint8Array(0);
      if (chunk.length === 0) {
        if (following === 0 || !visited.visit(following) || !pages.read(following, spare)) return fail();
        if (left < pages.usable - 4) unused(following, spare.subarray(4 + left, pages.usable));
        following = u32(spare, 0);
        chunk = spare.subarray(4, 4 + Math.min(left, pages.usable - 4));
      }
      const taken = chunk.subarray(0, Math.min(most, chunk.length));
      chunk = chunk.subarray(taken.length);
      left -= taken.length;
      return taken;
    },
  };
}

/** A page on the way down: its bytes, where its header is, and which cell is next. */
interface Level {
  readonly page: Uint8Array;
  readonly header: number;
  readonly type: number;
  readonly cells: number;
  at: number;
  /** Bytes that cells may yet take: they share none, or one could be said thousands of times. */
  left: number;
}

/**
 * Yields the rows of the table or index whose root page is given.
 *
 * @param damaged is called for each damage met; the walk goes on with what can still be reached
 * @param unused takes what the pages hold beside their cells, and behind those payloads that are read
 */
export function* walkRows(
  pages: Pages,
  root: number,
  visited: Visited,
  damaged: () => void,
  unused: OnUnused = () => {},
): Generator<Row> {
  const levels: Level[] = [];
  // One page for each level, and one for what overflows: no page is read twice, so none needs to be kept.
  const buffers: Uint8Array[] = [];
  const spare = new Uint8Array(pages.pageSize);

  function descend(number: number): void {
    const page = buffers[levels.length] ??= new Uint8Array(pages.pageSize);
    if (!visited.visit(number) || !pages.read(number, page)) return damaged();
    const header = number === 1 ? FIRST_PAGE_HEADER : 0;
    const type = page[header];
    if (type !== INDEX_NODE && type !== TABLE_NODE && type !== INDEX_LEAF && type !== TABLE_LEAF) return damaged();
    const cells = u16(page, header + 3);
    if (header + 8 + 2 * cells > pages.usable) return damaged();
    const isNode = type === INDEX_NODE || type === TABLE_NODE;
    readGaps(number, page, { header, pointers: header + (isNode ? 12 : 8) + 2 * cells, usable: pages.usable }, unused);
    levels.push({ page, header, type, cells, at: 0, left: pages.usable });
  }

  function row(level: Level, from: number): Row | undefined {
    const { value: length, next } = varint(level.page, from);
    const index = level.type !== TABLE_LEAF;
    const id = index ? undefined : rowid(level.page, next);
    const begin = id?.next ?? next;
    level.left -= localBytes(length, pages.usable, index);
    if (length > pages.count * pages.usable || begin >= pages.usable || level.left < 0) {
      damaged();
      return undefined;
    }
    const payload = createPayload(pages, visited, damaged, level.page, begin, length, index, spare, unused);
    return { rowid: id?.value, payload };
  }

  descend(root);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const isNode = level.type === INDEX_NODE || level.type === TABLE_NODE;
    if (level.at > level.cells || (!isNode && level.at === level.cells)) {
      levels.pop();
      continue;
    }
    const cell = level.at++;
    if (cell === level.cells) {
      descend(u32(level.page, level.header + 8));
      continue;
    }
    const from = u16(level.page, level.header + (isNode ? 12 : 8) + 2 * cell);
    if (from < level.header + 8 || from + LEAST_CELL_BYTES > pages.usable) {
      damaged();
      continue;
    }
    // The keys of an index stand between its children. Their order does not matter here.
    const found = level.type === TABLE_NODE ? undefined : row(level, isNode ? from + 4 : from);
    if (isNode) descend(u32(level.page, from));
    if (found !== undefined) yield found;
  }
}
