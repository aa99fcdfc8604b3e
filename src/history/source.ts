/**
 * What a source is: one agent, and where and in which form it keeps its history.
 *
 * @module
 */

/** Operating systems whose layouts are known. */
export type HostOs = "linux" | "darwin" | "windows";

/** The facts about a machine that paths depend on, passed in as data so that every layout is testable anywhere. */
export interface Host {
  /** Which layout applies. */
  readonly os: HostOs;
  /** Environment variables; one that is empty counts as unset. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a file's bytes become strings. */
export type Format = "jsonl" | "json" | "text" | "xml" | "sqlite";
