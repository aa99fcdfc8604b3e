/**
 * The two logs that may stand beside a database and decide what its pages say: the write-ahead log (newer pages) and
 * the rollback journal (the pages as they were before a transaction that is not over). They are read, never replayed.
 *
 * @module
 */
import type { HistoryHandle } from "../open.ts";
import { u32 } from "./bytes.ts";

/** Pages that stand elsewhere than in the database file. */
export interface Overlay {
  /** Offset in the log of each page that it holds, by page number. */
  readonly pages: ReadonlyMap<number, number>;
  /** How many pages the database has; 0 where the log does not say. */
  readonly count: number;
  /** What is the same as long as no page of the log was overwritten. */
  readonly stamp: string;
}

const EMPTY: ReadonlyMap<number, number> = new Map();

const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const WAL_MAGIC = 0x377f0682;
const FRAMES_AT_ONCE_BYTES = 512 * 1024;

/** SQLite's running checksum over pairs of 32-bit words. */
interface Checksum {
  first: number;
  second: number;
}

function addWords(sum: Checksum, view: DataView, from: number, to: number, littleEndian: boolean): void {
  let { first, second } = sum;
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  sum.first = first;
  sum.second = second;
}

function sumIs(sum: Checksum, view: DataView, at: number): boolean {
  return view.getUint32(at) === sum.first && view.getUint32(at + 4) === sum.second;
}

/** The identity of a write-ahead log: it changes when SQLite starts the log over. */
export function walStamp(log: HistoryHandle): string {
  const header = new Uint8Array(WAL_HEADER);
  return header.subarray(0, log.read(header, 0)).join(",");
}

/**
 * Reads which pages the committed transactions of a write-ahead log hold. Like SQLite it stops at the first frame that
 * is not of this log or whose checksum is wrong: that is where the log ends, or where a writer is at work. A step is a
 * bounded part of the log.
 */
export function* readWal(log: HistoryHandle, pageSize: number): Generator<void, Overlay> {
  const stamp = walStamp(log);
  const header = new Uint8Array(WAL_HEADER);
  const view = new DataView(header.buffer);
  const none = { pages: EMPTY, count: 0, stamp };
  if (log.read(header, 0) < WAL_HEADER) return none;
  const magic = view.getUint32(0);
  if ((magic & ~1) !== WAL_MAGIC || view.getUint32(8) !== pageSize) return none;
  const littleEndian = (magic & 1) === 0;
  const sum: Checksum = { first: 0, second: 0 };
  addWords(sum, view, 0, 24, littleEndian);
  if (!sumIs(sum, view, 24)) return none;

  const pages = new Map<number, number>();
  const open: [page: number, offset: number][] = [];
  let count = 0;
  const frameSize = FRAME_HEADER + pageSize;
  const buffer = new Uint8Array(frameSize * Math.max(1, Math.floor(FRAMES_AT_ONCE_BYTES / frameSize)));
  const frames = new DataView(buffer.buffer);
  for (let offset = WAL_HEADER;; offset += buffer.length) {
    const got = log.read(buffer, offset);
    for (let at = 0; at + frameSize <= got; at += frameSize) {
      if (frames.getUint32(at + 8) !== view.getUint32(16) || frames.getUint32(at + 12) !== view.getUint32(20)) {
        return { pages, count, stamp };
      }
      addWords(sum, frames, at, at + 8, littleEndian);
      addWords(sum, frames, at + FRAME_HEADER, at + frameSize, littleEndian);
      if (!sumIs(sum, frames, at + 16)) return { pages, count, stamp };
      open.push([frames.getUint32(at), offset + at + FRAME_HEADER]);
      const committed = frames.getUint32(at + 4);
      if (committed === 0) continue;
      for (const [page, place] of open.splice(0)) pages.set(page, place);
      count = committed;
    }
    if (got < buffer.length) return { pages, count, stamp };
    yield;
  }
}

const JOURNAL_MAGIC = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
const JOURNAL_HEADER = 28;
const TO_THE_END = 0xffffffff;
const CHECKSUM_STRIDE = 200;
const RECORDS_AT_ONCE = 256;

function journalSum(nonce: number, page: Uint8Array): number {
  let sum = nonce;
  for (let at = page.length - CHECKSUM_STRIDE; at > 0; at -= CHECKSUM_STRIDE) sum += page[at] as number;
  return sum >>> 0;
}

/** Reads which pages a rollback journal holds as they were before the transaction that it belongs to. */
export function* readJournal(log: HistoryHandle, pageSize: number): Generator<void, Overlay> {
  const pages = new Map<number, number>();
  const stamp = log.stamp();
  let count = 0;
  const header = new Uint8Array(JOURNAL_HEADER);
  const record = new Uint8Array(pageSize + 8);
  for (let offset = 0; log.read(header, offset) === JOURNAL_HEADER;) {
    if (!JOURNAL_MAGIC.every((byte, index) => header[index] === byte)) break;
    const sector = u32(header, 20);
    if (u32(header, 24) !== pageSize || sector < 512 || sector > 65536) break;
    if (offset === 0) count = u32(header, 16);
    const nonce = u32(header, 12);
    const promised = u32(header, 8);
    offset += sector;
    for (let index = 0; promised === TO_THE_END || index < promised; index++) {
      if (log.read(record, offset) < record.length) return { pages, count, stamp };
      const page = u32(record, 0);
      const sum = journalSum(nonce, record.subarray(4, 4 + pageSize));
      if (page === 0 || sum !== u32(record, 4 + pageSize)) return { pages, count, stamp };
      if (!pages.has(page)) pages.set(page, offset + 4);
      offset += record.length;
      if (index % RECORDS_AT_ONCE === 0) yield;
    }
    offset = Math.ceil(offset / sector) * sector;
  }
  return { pages, count, stamp };
}
