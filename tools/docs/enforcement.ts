/**
 * Which layer stops which attack, and `docs/enforcement.md` from it. `tests/attacks/matrix_test.ts` measures every row.
 *
 * @example
 * ```sh
 * deno run --allow-write=docs tools/docs/enforcement.ts
 * ```
 *
 * @module
 */

/** One attack and which layer stops it when it stands alone. */
export interface Row {
  /** Name of the attack. */
  readonly attack: string;
  /** Whether the guard does with the runtime unscoped: `-A --allow-unsandboxed`. */
  readonly guard: boolean;
  /** Whether Deno's permissions do with every check of the program replaced by a yes. */
  readonly deno: boolean;
}

/** The enforcement matrix. */
export const MATRIX: readonly Row[] = [
  { attack: "no root is given", guard: true, deno: true },
  { attack: "`..` in a path", guard: true, deno: true },
  { attack: "a sibling with the root's name as prefix", guard: true, deno: true },
  { attack: "the root's name in another case", guard: true, deno: true },
  { attack: "the root's name in another Unicode normal form", guard: true, deno: true },
  { attack: "NUL and newline in a path", guard: true, deno: true },
  { attack: "a guessed id, or a path in place of an id, outside", guard: true, deno: true },
  { attack: "a path in place of an id, inside: sources of a project", guard: true, deno: false },
  { attack: "an id that was redeemed, for a directory made anew", guard: true, deno: false },
  { attack: "a link as root", guard: true, deno: false },
  { attack: "a link as parent of the scanned path", guard: true, deno: false },
  { attack: "a find swapped for a link", guard: true, deno: true },
  { attack: "a find swapped for a link to another find", guard: true, deno: true },
  { attack: "a link inside a find", guard: true, deno: true },
  { attack: "a parent of a find swapped for a link", guard: true, deno: false },
  { attack: "a find swapped for another directory", guard: true, deno: false },
  { attack: "a find swapped for a file", guard: true, deno: false },
  { attack: "the marker removed after the scan", guard: true, deno: false },
  { attack: "a mount inside a find", guard: true, deno: false },
  { attack: "a git repository inside a find", guard: true, deno: false },
  { attack: "files that git tracks inside a find", guard: true, deno: false },
];

const WIDTH = Math.max(...MATRIX.map(({ attack }) => attack.length));
const TITLES = ["Guard alone", "Deno alone"] as const;

function line(attack: string, guard: string, deno: string): string {
  return `| ${attack.padEnd(WIDTH)} | ${guard.padEnd(TITLES[0].length)} | ${deno.padEnd(TITLES[1].length)} |`;
}

function verdict(isStopped: boolean): string {
  return isStopped ? "stops it" : "**no**";
}

/** The text of `docs/enforcement.md`. */
export function enforcementPage(): string {
  return `# Enforcement matrix

Written by \`tools/docs/enforcement.ts\`; \`tests/attacks/matrix_test.ts\` measures every row on each run of the tests.

An attack is stopped when nothing outside the roots is read and nothing is lost that a scan did not offer. _Guard
alone_: the server runs with \`-A --allow-unsandboxed\`, so that Deno refuses nothing. _Deno alone_: the server runs with
its exact permission flags, or with \`-A\` in its own narrowed Worker, and every check of the program is replaced by a
yes: any path is scanned, and a path given in place of an id is deleted as it is.

${line("Attack", ...TITLES)}
${line("-".repeat(WIDTH), "-".repeat(TITLES[0].length), "-".repeat(TITLES[1].length))}
${MATRIX.map(({ attack, guard, deno }) => line(attack, verdict(guard), verdict(deno))).join("\n")}

What the second column says:

- Deno compares paths as they are written and does not resolve links. A link that lies inside a root and points outside
  is followed, so against links in the middle of a path the guard stands alone. Removing a link removes the link, not
  what it points to: that is why a find that is a link itself does no harm.
- Inside the roots Deno allows everything: which directory may go there is the guard's alone to decide.
- That a call says exactly \`delete\`, and that a human agrees, are rules about the call; no permission knows of them.
  \`tests/attacks/protocol_confirm_test.ts\` and \`tests/mcp/confirmation_test.ts\` hold them.
- Swaps _while_ a deletion runs, and a kill at any of its steps, are the subject of the tests named
  \`tests/attacks/reclaim_*_test.ts\`.
`;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../../docs/enforcement.md", import.meta.url), enforcementPage());
}
