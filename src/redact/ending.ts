/**
 * How the thread that asked for a redaction ends it: at once where nothing was made yet, else where nothing is half
 * done. Both threads see the same two numbers.
 *
 * @module
 */

import { Refusal } from "../guard/mod.ts";
import { WORK } from "./names.ts";

/** What the work is at, and so how it can be ended. */
export const STAGE = {
  /** Nothing was made: the thread may be ended at any instant. */
  reading: 0,
  /** There is a private folder beside a database, and nothing else. */
  copying: 1,
  /** Files are made and moved, or were and it is not told yet: the work must end by itself. */
  writing: 2,
} as const;

/** One of {@linkcode STAGE}. */
export type Stage = typeof STAGE[keyof typeof STAGE];

/** Why a file was left as it is when the work was ended. */
export const ENDED = "it was ended before this was written: nothing was changed";

/** What is said of everything that was not come to. */
export const NOT_REACHED = "ended: what is not named here is as it was";

/** The worker's side. */
export interface Ending {
  /** @throws {Refusal} Where the work is to end. */
  check(): void;
  /**
   * Says what is done from now on.
   *
   * @returns What was said before.
   * @throws {Refusal} Where the work is to end; then nothing of the stage may be begun.
   */
  enter(stage: Stage): Stage;
  /** Says it without asking whether the work is to end: where nothing came of the later stage, or its end was told. */
  leave(stage: Stage): void;
}

/** The other side. */
export interface Ender {
  /** Asks the work to end. What it is at is looked at only after that. */
  end(): void;
  /** What it is at. */
  stage(): Stage;
}

const END = 0;
const AT = 1;

/** The two numbers. */
export function sharedEnding(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** The side of the worker. */
export function endingOf(shared: Int32Array): Ending {
  const check = () => {
    if (Atomics.load(shared, END) !== 0) throw new Refusal("changed", ENDED);
  };
  return {
    check,
    enter(stage) {
      const before = Atomics.exchange(shared, AT, stage) as Stage;
      try {
        check();
      } catch (error) {
        Atomics.store(shared, AT, before);
        throw error;
      }
      return before;
    },
    leave: (stage) => void Atomics.store(shared, AT, stage),
  };
}

/** The side of the thread that asked. */
export function enderOf(shared: Int32Array): Ender {
  return {
    end: () => void Atomics.store(shared, END, 1),
    stage: () => Atomics.load(shared, AT) as Stage,
  };
}

/** Work that nobody ends. */
export const ENDLESS: Ending = endingOf(new Int32Array(2));

/** Removes the private folder beside a database, whose thread was just ended and may yet put something in. */
export async function removeWork(path: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      if (!Deno.lstatSync(path + WORK).isDirectory) return;
      Deno.removeSync(path + WORK, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound && attempt > 0) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
