/**
 * The reader of each format that is a stream of bytes.
 *
 * @module
 */
import type { Format } from "../source.ts";
import { createJsonReader } from "./json.ts";
import type { Emit, StringReader } from "./strings.ts";
import { createTextReader, type ReaderOptions, type Wants } from "./text.ts";
import { detectEncoding, OPENING_BYTES } from "./window.ts";
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

/** Creates the reader of a format for an input that is pushed from its first byte on. */
export function createReader(format: StreamFormat, emit: Emit, options: CreateReaderOptions = {}): StringReader {
  const { wants = () => true, size } = options;
  const opening = new Uint8Array(OPENING_BYTES);
  let seen = 0;
  let reader: StringReader | undefined;

  function begin(): StringReader {
    const bytes = opening.subarray(0, seen);
    const { encoding, mark } = detectEncoding(bytes);
    const made = createReaderAt(format, emit, {
      encoding,
      origin: mark,
      line: 1,
      wants,
      ...(size === undefined ? {} : { size }),
    });
    made.push(bytes.subarray(mark));
    return made;
  }

  return {
    push(chunk) {
      let rest = chunk;
      if (reader === undefined) {
        const taken = Math.min(rest.length, OPENING_BYTES - seen);
        opening.set(rest.subarray(0, taken), seen);
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
