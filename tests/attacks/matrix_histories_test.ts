import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { HISTORY_MATRIX } from "../../tools/docs/enforcement.ts";
import { secret } from "../redact/_histories.ts";
import { auditStart } from "../support/audit.ts";
import { copyWithoutGates } from "../support/bypassed.ts";
import { exactPermissions, initialize, type RawServer, type Start, startRaw } from "../support/server.ts";
import { withDir } from "../support/tree.ts";

/** Places of one attack, as yet empty. */
interface Place {
  /** The user's home. */
  readonly home: string;
  /** A copy of a Codex history that a human named, where one is needed. */
  readonly copy: string;
  /** What is nobody's business. */
  readonly outside: string;
}

/** One attack: what it sets up, what it does, and whether all was held. */
interface Attack {
  /** Whether the server works on the copy, and may redact it. */
  readonly onCopy: boolean;
  /** Sets the scene. */
  prepare(place: Place): void;
  /** Does its worst; whether nothing outside was read or changed. */
  run(server: RawServer, place: Place): Promise<boolean>;
}

const CONTENT = `{"text":"${secret(1)}"}\n`;

function plant(path: string): void {
  Deno.writeTextFileSync(path, CONTENT);
  Deno.utimeSync(path, new Date(0), new Date(0));
}

/** Whether a scan of Codex found the secret that was planted outside. */
async function isRead(server: RawServer, more: Record<string, unknown> = {}): Promise<boolean> {
  const { result } = await server.request("tools/call", {
    name: "scan_history",
    arguments: { source: "codex", ...more },
  });
  return (result?.structuredContent?.summary.findings ?? 0) > 0;
}

async function redact(server: RawServer): Promise<void> {
  const args = { source: "codex", confirm: "REDACT codex" };
  await server.request("tools/call", { name: "redact_source", arguments: args });
}

const isUnchanged = (path: string) => Deno.readTextFileSync(path) === CONTENT;

const ATTACKS: Readonly<Record<string, Attack>> = {
  "scan_history with a `root` that no human allowed": {
    onCopy: false,
    prepare: ({ outside }) => plant(join(outside, "history.jsonl")),
    run: async (server, { outside }) => !await isRead(server, { root: outside }),
  },
  "a link in a history that leads to a file outside": {
    onCopy: false,
    prepare({ home, outside }) {
      plant(join(outside, "diary.jsonl"));
      Deno.mkdirSync(join(home, ".codex/sessions"), { recursive: true });
      Deno.symlinkSync(join(outside, "diary.jsonl"), join(home, ".codex/sessions/rollout-1.jsonl"));
    },
    run: async (server) => !await isRead(server),
  },
  "a link in a history that leads to a folder outside": {
    onCopy: false,
    prepare({ home, outside }) {
      plant(join(outside, "rollout-1.jsonl"));
      Deno.mkdirSync(join(home, ".codex"), { recursive: true });
      Deno.symlinkSync(outside, join(home, ".codex/sessions"));
    },
    run: async (server) => !await isRead(server),
  },
  "a history's folder that is a link": {
    onCopy: false,
    prepare({ home, outside }) {
      Deno.mkdirSync(join(outside, "sessions"));
      plant(join(outside, "sessions/rollout-1.jsonl"));
      Deno.symlinkSync(outside, join(home, ".codex"));
    },
    run: async (server) => !await isRead(server),
  },
  "redact_source on the agent's own folder": {
    onCopy: false,
    prepare({ home }) {
      Deno.mkdirSync(join(home, ".codex"));
      plant(join(home, ".codex/history.jsonl"));
    },
    async run(server, { home }) {
      await redact(server);
      return isUnchanged(join(home, ".codex/history.jsonl"));
    },
  },
  "redact_source through a link in a copy": {
    onCopy: true,
    prepare({ copy, outside }) {
      Deno.mkdirSync(join(outside, "sessions"));
      plant(join(outside, "sessions/rollout-1.jsonl"));
      Deno.symlinkSync(join(outside, "sessions"), join(copy, "sessions"));
    },
    async run(server, { outside }) {
      await redact(server);
      return isUnchanged(join(outside, "sessions/rollout-1.jsonl"));
    },
  },
  "redact_source on a hard link to a file outside": {
    onCopy: true,
    prepare({ copy, outside }) {
      plant(join(outside, "diary.jsonl"));
      Deno.linkSync(join(outside, "diary.jsonl"), join(copy, "history.jsonl"));
    },
    async run(server, { outside }) {
      await redact(server);
      return isUnchanged(join(outside, "diary.jsonl"));
    },
  },
  "a link in the place of the audit log": {
    onCopy: true,
    prepare({ copy, home, outside }) {
      plant(join(copy, "history.jsonl"));
      plant(join(outside, "diary.jsonl"));
      Deno.mkdirSync(join(home, ".agentsweep"));
      Deno.symlinkSync(join(outside, "diary.jsonl"), join(home, ".agentsweep/audit.jsonl"));
    },
    async run(server, { outside }) {
      await redact(server);
      return isUnchanged(join(outside, "diary.jsonl"));
    },
  },
};

/** How the server of a layer is started. */
type Starter = (place: Place, onCopy: boolean) => Start;

const REDACTION = { AGENTSWEEP_MCP_ALLOW_REDACT: "1" };
const argsOf = (
  { copy }: Place,
  onCopy: boolean,
) => ["--audit-only", ...(onCopy ? ["--history", `codex=${copy}`] : [])];

Deno.test({
  name: "each layer alone stops what the matrix of histories says, and nothing less or more",
  ignore: Deno.build.os !== "linux", // elsewhere links need rights, and places differ
  async fn(t) {
    assertEquals(Object.keys(ATTACKS), HISTORY_MATRIX.map(({ attack }) => attack));
    await using bypassed = await copyWithoutGates();
    const starters: Readonly<Record<"guard" | "deno", Starter>> = {
      guard: (place, onCopy) =>
        auditStart(place.home, {
          permissions: ["-A"],
          args: [...argsOf(place, onCopy), "--allow-unsandboxed"],
          env: REDACTION,
        }),
      deno(place, onCopy) {
        const start = auditStart(place.home, { args: argsOf(place, onCopy), env: REDACTION }, bypassed.folder);
        const log = join(place.home, ".agentsweep");
        const written = onCopy ? [place.copy, log] : [log];
        const [prompt, read] = [...start.permissions ?? exactPermissions([])];
        const permissions = [
          prompt!,
          `${read},${written.join(",")}`,
          `--allow-write=${written.join(",")}`,
          "--allow-run=ps",
          start.permissions!.at(-1)!,
        ];
        return { ...start, permissions, main: bypassed.main, config: bypassed.config };
      },
    };
    for (const row of HISTORY_MATRIX) {
      for (const layer of ["guard", "deno"] as const) {
        await t.step(`${layer}: ${row.attack}`, () =>
          withDir(async (dir) => {
            const place = { home: join(dir, "home"), copy: join(dir, "copy"), outside: join(dir, "outside") };
            for (const folder of Object.values(place)) Deno.mkdirSync(folder);
            const { onCopy, prepare, run } = ATTACKS[row.attack]!;
            prepare(place);
            await using server = startRaw(starters[layer](place, onCopy));
            await initialize(server);
            const isHeld = await run(server, place);
            assert(
              server.stderr().includes(`sandbox: ${layer === "guard" ? "none" : "process-flags"}`),
              server.stderr(),
            );
            assertEquals(isHeld, row[layer]);
          }));
      }
    }
  },
});
