/**
 * The reader of each format that is a stream of bytes.
 *
 * @module
 */
import type { Format } from "../source.ts";
import { createJsonReader } from "./json.ts";
import type { Emit, StringReader } from "./strings.ts";
import { createTextReader, type ReaderOptions, type Wants } from "./text.ts";
import { detectEncoding, type Opening, OPENING_BYTES } from "./window.ts";
import { createXmlReader } from "./xml.ts";

/** The formats that are read from front to back. */
export type StreamFormat = Exclude<Format, "sqlite">;

/** Options of {@linkcode createReader}. */
export interface CreateReaderOptions {
  /** See {@linkcode Wants}. @default everything is wanted */
  readonly wants?: Wants;
  /** Size of the whole input in bytes, where it is known. */
  readonly size?: number;
}

/** Creates the reader of a format for an input whose encoding and first position are known. */
export function createReaderAt(format: StreamFormat, emit: Emit, options: ReaderOptions): StringReader {
  switch (format) {
    case "jsonl":
      return createJsonReader(emit, { ...options, lines: true });
    case "json":
      return createJsonReader(emit, { ...options, lines: false });
    case "xml":
      return createXmlReader(emit, options);
    case "text":
      return createTextReader(emit, options);
  }
}

/** Takes the first bytes of an input, and gives all behind a byte order mark to what is made for its encoding. */
export function afterOpening(make: (opening: Opening) => StringReader): StringReader {
  const first = new Uint8Array(OPENING_BYTES);
  let seen = 0;
  let reader: StringReader | undefined;

  function begin(): StringReader {
    const bytes = first.subarray(0, seen);
    const opening = detectEncoding(bytes);
    const made = make(opening);
    made.push(bytes.subarray(opening.mark));
    return made;
  }

  return {
    push(chunk) {
      let rest = chunk;
      if (reader === undefined) {
        const taken = Math.min(rest.length, OPENING_BYTES - seen);
        first.set(rest.subarray(0, taken), seen);
        seen += taken;
        if (seen < OPENING_BYTES) return;
        reader = begin();
        rest = rest.subarray(taken);
      }
      reader.push(rest);
    },
    end: () => (reader ?? begin()).end(),
  };
}

/** Creates the reader of a format for an input that is pushed from its first byte on. */
export function createReader(format: StreamFormat, emit: Emit, options: CreateReaderOptions = {}): StringReader {
  const { wants = () => true, size } = options;
  return afterOpening(({ encoding, mark }) => {
    const known = { encoding, origin: mark, line: 1, wants };
    return createReaderAt(format, emit, size === undefined ? known : { ...known, size });
  });
}
