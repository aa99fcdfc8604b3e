/**
 * The outline of a Zstandard file (RFC 8878): where its frames begin and end.
 *
 * @module
 */
import type { HistoryHandle } from "./formats/open.ts";

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const RLE_BLOCK = 1;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];

/** Bytes of a frame's header behind its magic number, by the header's first byte. */
function headerBytes(descriptor: number): number {
  const singleSegment = (descriptor & 0x20) !== 0;
  const contentSize = CONTENT_SIZE_BYTES[descriptor >> 6] ?? 0;
  const window = singleSegment ? 0 : 1;
  return 1 + window + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + (singleSegment && contentSize === 0 ? 1 : contentSize);
}

/** Number at an offset, least significant byte first, or `undefined` behind the end. */
type Peek = (offset: number, bytes: number) => number | undefined;

/** Offset behind the frame at `offset`, which may lie behind the end; `undefined` where no frame begins. */
function frameEnd(peek: Peek, offset: number): number | undefined {
  const magic = peek(offset, 4);
  if (magic === undefined) return undefined;
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
    const size = peek(offset + 4, 4);
    return size === undefined ? undefined : offset + 8 + size;
  }
  const descriptor = peek(offset + 4, 1);
  if (magic !== FRAME || descriptor === undefined) return undefined;
  let position = offset + 4 + headerBytes(descriptor);
  for (let last = false; !last;) {
    const header = peek(position, 3);
    if (header === undefined) return undefined;
    last = (header & 1) === 1;
    position += 3 + (((header >> 1) & 3) === RLE_BLOCK ? 1 : header >> 3);
  }
  return position + ((descriptor & 4) !== 0 ? 4 : 0);
}

/** A frame of a file. */
export interface Frame {
  /** Offset of its first byte. */
  readonly start: number;
  /** Offset behind its last byte. */
  readonly end: number;
  /** Whether all of it is there; a torn one ends the file. */
  readonly whole: boolean;
}

/** The frames of an open file, one behind the other. Reads their headers alone; there may be millions, so none is kept. */
export function* framesOf(file: HistoryHandle): Generator<Frame> {
  const bytes = new Uint8Array(4);
  const peek: Peek = (offset, count) => {
    if (file.read(bytes.subarray(0, count), offset) !== count) return undefined;
    let value = 0;
    for (let index = count - 1; index >= 0; index--) value = value * 256 + (bytes[index] ?? 0);
    return value;
  };
  for (let start = 0; start < file.size;) {
    const end = frameEnd(peek, start);
    const whole = end !== undefined && end <= file.size;
    yield { start, end: whole ? end : file.size, whole };
    start = whole ? end : file.size;
  }
}
