/**
 * Colours, where there are any.
 *
 * @module
 */

/** Marks text. Without colours each gives it back as it is. */
export interface Style {
  /** What matters most. */
  bold(text: string): string;
  /** What may be passed over. */
  faint(text: string): string;
  /** What went wrong or is dangerous. */
  bad(text: string): string;
  /** What is well. */
  good(text: string): string;
  /** What needs a look. */
  warn(text: string): string;
}

/** The colours of a terminal, or none. */
export function createStyle(hasColour: boolean): Style {
  const mark = (code: number) => (text: string) => hasColour ? `\x1b[${code}m${text}\x1b[0m` : text;
  return { bold: mark(1), faint: mark(2), bad: mark(31), good: mark(32), warn: mark(33) };
}
