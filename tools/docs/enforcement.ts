/**
 * Which layer stops which attack, and what README and `docs/enforcement.md` say of it.
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

/** The enforcement matrix of Reclaim. `tests/attacks/matrix_test.ts` measures every row. */
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

/** The same for histories. `tests/attacks/matrix_histories_test.ts` measures every row. */
export const HISTORY_MATRIX: readonly Row[] = [
  { attack: "scan_history with a `root` that no human allowed", guard: true, deno: true },
  { attack: "a link in a history that leads to a file outside", guard: true, deno: false },
  { attack: "a link in a history that leads to a folder outside", guard: true, deno: false },
  { attack: "a history's folder that is a link", guard: true, deno: false },
  { attack: "redact_source on the agent's own folder", guard: true, deno: true },
  { attack: "redact_source through a link in a copy", guard: true, deno: false },
  { attack: "redact_source on a hard link to a file outside", guard: true, deno: true },
  { attack: "a link in the place of the audit log", guard: true, deno: false },
];

const TITLES = ["Attack", "Guard alone", "Deno alone"];

/** A matrix as a Markdown table. */
function table(rows: readonly Row[]): string {
  const verdict = (isStopped: boolean) => isStopped ? "stops it" : "**no**";
  const cells = rows.map(({ attack, guard, deno }) => [attack, verdict(guard), verdict(deno)]);
  return [TITLES, TITLES.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** The text of `docs/enforcement.md`. */
export function enforcementPage(): string {
  return `# Enforcement matrix

Written by \`tools/docs/enforcement.ts\`; \`tests/attacks/matrix_test.ts\` and \`tests/attacks/matrix_histories_test.ts\`
measure every row on each run of the tests.

An attack is stopped when nothing outside the roots and histories is read or changed, and nothing is lost that a scan did not offer. _Guard
alone_: the server runs with \`-A --allow-unsandboxed\`, so that Deno refuses nothing. _Deno alone_: the server runs with
its exact permission flags, or with \`-A\` in its own narrowed Worker, and every check of the program is replaced by a
yes: any path is scanned, a path given in place of an id is deleted as it is, links in a history are followed, and no
gate of redaction is shut.

## Reclaim

${table(MATRIX)}

## Audit and redaction

${table(HISTORY_MATRIX)}

## What the second column says

- Deno compares paths as they are written and does not resolve links. A link that lies inside a root and points outside
  is followed, so against links in the middle of a path the guard stands alone. Removing a link removes the link, not
  what it points to: that is why a find that is a link itself does no harm.
- With permissions for single paths Deno resolves a path before it opens it, so that the flag \`O_NOFOLLOW\` never
  reaches the link. \`src/guard/open.ts\` therefore holds what it opened against what stands at the path.
- Inside the roots Deno allows everything: which directory may go there is the guard's alone to decide.
- That a call says exactly \`delete\`, and that a human agrees, are rules about the call; no permission knows of them.
  \`tests/attacks/protocol_confirm_test.ts\` and \`tests/mcp/confirmation_test.ts\` hold them.
- That no plaintext leaves a scanning worker is a rule about content. Deno's part is that those workers can read
  histories and nothing else: they have no network and cannot write (\`tests/attacks/audit_workers_test.ts\`).
- Swaps _while_ a deletion runs, and a kill at any of its steps, are the subject of the tests named
  \`tests/attacks/reclaim_*_test.ts\`; those of a redaction of \`tests/redact/write_test.ts\`.
`;
}

const HEADING = "## Which layer stops which attack\n";

/** `README.md` with the matrix as it stands. */
export function readmeWithMatrix(readme: string): string {
  const start = readme.indexOf(HEADING);
  const end = readme.indexOf("\n## ", start + 1);
  if (start < 0 || end < 0) throw new Error("README.md has no section for the enforcement matrix");
  return `${readme.slice(0, start)}${HEADING}
Measured on each run of the tests: _guard alone_ with everything allowed (\`-A --allow-unsandboxed\`), _Deno alone_ with
the exact flags and every check of the program replaced by a yes. What the columns say: [docs/enforcement.md](docs/enforcement.md).

${table([...MATRIX, ...HISTORY_MATRIX])}
${readme.slice(end)}`;
}
