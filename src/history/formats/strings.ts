/**
 * What every format reader yields, and the limits they share.
 *
 * @module
 */

/**
 * How the bytes of a span become the text, and so how a replacement must be written back:
 *
 * - `json`: a JSON string token, its quotes included (a part of a long one: without the quotes it does not hold)
 * - `text`: the bytes as they stand
 * - `xml`: bytes in which character references stand for characters
 */
export type Form = "json" | "text" | "xml";

/** One string of a history file, or one part of a string too long to hold. */
export interface HistoryString {
  /** The decoded text: escapes undone, bytes that are not UTF-8 shown as U+FFFD. */
  readonly text: string;
  /** 1-based line on which the span begins; of a database, the rowid (or the ordinal of the row where there is none). */
  readonly line: number;
  /** Where in the record it stands, e.g. `message.content[0].text`; empty for text that has no structure. */
  readonly keypath: string;
  /** First byte of the span in the file; of a database, in the cell's own (decompressed) bytes. */
  readonly start: number;
  /** The byte behind the span. */
  readonly end: number;
  /** How the span's bytes encode the text. */
  readonly form: Form;
  /** Whether this is the key of an object member rather than a value. */
  readonly key: boolean;
  /** 0 for a whole string; else which part of one longer than {@linkcode PART_BYTES}, counted from 1. */
  readonly part: number;
  /** The cell that holds it, in a database. */
  readonly cell?: Cell;
}

/** A cell of a database table. */
export interface Cell {
  /** The table's name. */
  readonly table: string;
  /** The column's name. */
  readonly column: string;
  /** The row's id; the ordinal of the row, counted from 1, in a table that has none. */
  readonly row: bigint;
}

/** Takes each string as it is found. */
export type Emit = (found: HistoryString) => void;

/** Turns pushed chunks of one input into strings. */
export interface StringReader {
  /** Takes the next bytes; they are copied as far as they are needed later. */
  push(chunk: Uint8Array): void;
  /** Says that the input is over. */
  end(): void;
}

/**
 * Longest span in bytes that comes as one string. A longer one comes in parts. Texts of this size are still short-lived
 * objects to V8; of larger ones it lets a hundred megabytes pile up.
 */
export const PART_BYTES = 120 * 1024;

/**
 * How many bytes of a part the next part repeats, less at most one character or escape: a match no longer than this
 * lies whole in at least one part.
 */
export const OVERLAP_BYTES = 32 * 1024;

/** Longest line or document in bytes that is known to be JSON or not before any of its strings is given out. */
export const WHOLE_BYTES = 1024 * 1024;
