/**
 * Printing, asking and showing progress. Standard output carries what was asked for and nothing else; everything that
 * is said beside it goes to standard error.
 *
 * @module
 */

import { visible } from "../text/visible.ts";
import { wrap } from "./layout.ts";
import { createProgress, type Progress } from "./progress.ts";
import { createStyle, type Style } from "./style.ts";

/** Where a command prints, asks and shows how far it is. */
export interface Terminal {
  /** Columns of standard output; `Infinity` where it is no terminal, so that nothing is cut in a file or a pipe. */
  readonly width: number;
  /** Whether a human can be asked: both standard input and standard error are terminals. */
  readonly canAsk: boolean;
  /** Colours of standard output. Style only text that went through {@linkcode visible}. */
  readonly style: Style;
  /** Prints a text and a line feed on standard output. */
  print(text: string): void;
  /** Says something in one line on standard error, its invisible characters escaped. */
  note(text: string): void;
  /** Shows how far long work is, on standard error. */
  progress(label: string): Progress;
  /**
   * Asks the human and waits for a line, without its end.
   *
   * @returns Null where the input ended or the signal aborted.
   */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
}

/** The terminal of this process. */
export function openTerminal(): Terminal {
  const isTerminal = Deno.stdout.isTerminal();
  const output = writer(Deno.stdout);
  const errors = writer(Deno.stderr);
  return {
    width: isTerminal ? columnsOf() : Infinity,
    canAsk: Deno.stdin.isTerminal() && Deno.stderr.isTerminal(),
    style: createStyle(isTerminal && !Deno.noColor),
    print: (text) => output(`${text}\n`),
    note: (text) => errors(`${Deno.stderr.isTerminal() ? wrap(visible(text), columnsOf()) : visible(text)}\n`),
    progress: (label) => createProgress(label, errors, Deno.stderr.isTerminal() ? columnsOf() : null),
    async ask(question, signal) {
      errors(question);
      const line = await readLine(signal);
      // Where the human did not end the line, the next output must not stand behind the question.
      if (line === null) errors("\n");
      return line;
    },
  };
}

function columnsOf(): number {
  try {
    // A terminal that does not know its size says 0.
    return Math.max(20, Deno.consoleSize().columns || 80);
  } catch {
    return 80;
  }
}

/** Writes all of a text. Once a reader went away (`| head`) the rest is dropped: nobody is there to miss it. */
function writer(stream: { writeSync(bytes: Uint8Array): number }): (text: string) => void {
  let isClosed = false;
  return (text) => {
    if (isClosed) return;
    const bytes = new TextEncoder().encode(text);
    try {
      for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      isClosed = true;
    }
  };
}

const MAX_LINE = 4096;

async function readLine(signal: AbortSignal): Promise<string | null> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const onAbort = () => resolve(null);
  if (signal.aborted) return null;
  signal.addEventListener("abort", onAbort);
  try {
    const buffer = new Uint8Array(MAX_LINE);
    let length = 0;
    while (length < buffer.length) {
      const read = await Promise.race([Deno.stdin.read(buffer.subarray(length, length + 1)), aborted]);
      if (read === null) return null;
      if (buffer[length] === 0x0a) break;
      length += read;
    }
    return new TextDecoder().decode(buffer.subarray(0, length)).replace(/\r$/, "");
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
