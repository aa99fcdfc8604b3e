/**
 * Letting a human pick from a numbered list.
 *
 * @module
 */

import type { Terminal } from "./terminal.ts";

/**
 * The numbers that an answer such as `1,3-5` names; null where it is none.
 *
 * @param count How many there are to pick from; they are numbered from 1.
 */
export function numbersIn(answer: string, count: number): number[] | null {
  const text = answer.trim().toLowerCase();
  if (text === "") return [];
  if (text === "all") return Array.from({ length: count }, (_, index) => index + 1);
  const picked = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter((part) => part !== "")) {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    // NaN, from a part that is no number, fails the comparison too.
    if (!(first >= 1 && first <= last && last <= count)) return null;
    for (let number = first; number <= last; number++) picked.add(number);
  }
  return [...picked].sort((one, other) => one - other);
}

/** Asks until the answer can be understood; no answer picks nothing. */
export async function pick<T>(items: readonly T[], terminal: Terminal, signal: AbortSignal): Promise<T[]> {
  while (true) {
    const answer = await terminal.ask("Which ones? Numbers such as 1,3-5, or all; Enter alone for none: ", signal);
    if (answer === null) return [];
    const numbers = numbersIn(answer, items.length);
    if (numbers) return numbers.map((number) => items[number - 1]!);
    terminal.note(`please give numbers from 1 to ${items.length}`);
  }
}
