/**
 * Text that fits the terminal: tables, wrapped paragraphs, cut lines.
 *
 * @module
 */

import { visible } from "../text/visible.ts";

/** One column of a table. */
export interface Column<Row> {
  /** Its title. */
  readonly title: string;
  /** What stands in it, as it came from the disk or elsewhere: it is made visible here. */
  readonly of: (row: Row) => string;
  /** Whether it is set flush right, as numbers are. @default false */
  readonly isNumber?: boolean;
  /** Whether it may be cut in the middle where the terminal is narrow, as paths may. @default false */
  readonly isFlexible?: boolean;
  /** Marks a cell that is already laid out. @default as it is */
  readonly mark?: (cell: string, row: Row) => string;
}

const GAP = 2;
const LEAST_FLEXIBLE = 16;
const SEGMENTER = new Intl.Segmenter();
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of SEGMENTER.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** A text in at most `width` columns; what is too long loses its end. */
export function clip(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${take(graphemes(text), width - 1).join("")}…`;
}

/** A text in at most `width` columns; what is too long loses its middle, since both ends of a path tell most. */
export function clipMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const tail = Math.ceil((width - 1) * 0.65);
  const parts = graphemes(text);
  const end = take(parts.toReversed(), tail).reverse();
  return `${take(parts, width - 1 - tail).join("")}…${end.join("")}`;
}

function graphemes(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

function take(parts: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const part of parts) {
    used += widthOf(part);
    if (used > width) break;
    taken.push(part);
  }
  return taken;
}

/** Paragraphs of plain words in lines of at most `width` columns, each line behind `indent`. */
export function wrap(text: string, width: number, indent = ""): string {
  return text.split("\n").map((paragraph) => wrapLine(paragraph, width - indent.length, indent)).join("\n");
}

function wrapLine(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((line) => `${indent}${line}`.trimEnd()).join("\n");
}

/**
 * A table of at most `width` columns: flexible cells are cut, and where even that does not fit each row becomes a few
 * lines of its own.
 */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number): string {
  const cells = rows.map((row) => columns.map((column) => visible(column.of(row))));
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((cells) => widthOf(cells[index]!)))
  );
  const total = () => widths.reduce((sum, each) => sum + each + GAP, -GAP);
  const flexible = columns.flatMap(({ isFlexible }, index) => isFlexible ? [index] : []);
  for (let over = total() - width; over > 0; over = total() - width) {
    const widest = flexible.sort((one, other) => widths[other]! - widths[one]!)[0];
    if (widest === undefined || widths[widest]! <= LEAST_FLEXIBLE) return stacked(rows, columns, cells, width);
    const next = Math.max(
      LEAST_FLEXIBLE,
      ...flexible.map((index) => widths[index]!).filter((w) => w < widths[widest]!),
    );
    widths[widest] = Math.max(next, widths[widest]! - over);
  }
  const line = (cells: readonly string[], row: Row | null) =>
    cells.map((cell, index) => {
      const { isNumber, isFlexible, mark } = columns[index]!;
      const text = isFlexible ? clipMiddle(cell, widths[index]!) : cell;
      const space = " ".repeat(widths[index]! - widthOf(text));
      const marked = row !== null && mark ? mark(text, row) : text;
      return isNumber ? space + marked : marked + space;
    }).join(" ".repeat(GAP)).trimEnd();
  return [
    line(columns.map(({ title }) => title), null),
    ...cells.map((cells, index) => line(cells, rows[index]!)),
  ].join("\n");
}

function stacked<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  width: number,
): string {
  const label = Math.max(...columns.map(({ title }) => title.length));
  return rows.map((row, index) =>
    columns.map(({ title, mark, isFlexible }, column) => {
      const room = Math.max(8, width - label - 1);
      const cell = cells[index]![column]!;
      const text = isFlexible ? clipMiddle(cell, room) : clip(cell, room);
      return `${title.padEnd(label)} ${mark ? mark(text, row) : text}`.trimEnd();
    }).join("\n")
  ).join("\n\n");
}
