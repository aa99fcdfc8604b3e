/**
 * `config`: what to put into a client's configuration on this machine.
 *
 * @module
 */

import { dirname, resolve } from "@std/path";
import { openRoots, Refusal } from "../../guard/mod.ts";
import { wideRootWarnings } from "../../serve/wide_roots.ts";
import { type Client, CLIENTS } from "../clients.ts";
import { type Command, EXIT } from "../command.ts";
import { install } from "../install.ts";
import { launchOf } from "../launch.ts";
import { requireFolderOf } from "../output.ts";

const FLAGS = {
  client: {
    value: "NAME",
    short: "c",
    summary: "the MCP client",
    choices: CLIENTS.map(({ key }) => key) as readonly string[],
  },
  root: { value: "DIR", repeatable: true, summary: "where Reclaim may look and delete" },
  "audit-only": { summary: "serve the Audit tools alone; needs no --root" },
  "no-audit": { summary: "serve the Reclaim tools alone" },
  "require-human": { summary: "destructive calls need your own yes through the client" },
  "every-history": { summary: "also allow to read histories that are not there yet" },
  link: { summary: "print a link that installs it with one click, where the client has such links" },
  json: { summary: "print the snippet with its place and format as JSON" },
  force: { summary: "with -o: replace another entry of the same name in FILE" },
  output: {
    value: "FILE",
    short: "o",
    summary: "add it to the configuration in FILE instead, and keep all else that stands there",
  },
} as const;

/** The command. */
export const command: Command<typeof FLAGS> = {
  name: "config",
  summary: "print what a client's configuration needs, with the least permissions",
  details:
    "The snippet goes to standard output and where to put it to standard error. It allows to read the histories " +
    "that are there now; run it again after you installed another agent.",
  flags: FLAGS,
  examples: [
    { text: "the command that adds it to Claude Code", line: "config --client claude-code --root ~/code" },
    {
      text: "into a project's configuration for VS Code",
      line: "config --client vscode --root ~/code -o .vscode/mcp.json",
    },
    { text: "Audit alone", line: "config --client codex --audit-only" },
  ],
  keeps: ({ output }) => output === undefined ? [] : ["write"],
  async run({ flags, terminal, module, environment }) {
    const client = CLIENTS.find(({ key }) => key === flags.client);
    if (!client) {
      throw new Refusal(
        "argument",
        `config needs --client NAME: ${CLIENTS.map(({ key }) => key).join(", ")}`,
      );
    }
    checkServed(flags.root, flags["audit-only"], flags["no-audit"]);
    const file = flags.output === "-" ? undefined : flags.output;
    if (flags.force && file === undefined) throw new Refusal("argument", "--force goes with -o FILE");
    if (file !== undefined) requireFolderOf(dirname(resolve(file)));
    const roots = openRoots(flags.root.map((root) => resolve(root))).map(({ path }) => path);
    wideRootWarnings(roots, environment.host).forEach(terminal.note);
    const launch = launchOf(module, environment, {
      roots,
      hasAudit: !flags["no-audit"],
      everyHistory: flags["every-history"],
      serveFlags: (["audit-only", "no-audit", "require-human"] as const).filter((name) => flags[name])
        .map((name) => `--${name}`),
    });
    const snippet = flags.link ? linkOf(client, launch) : client.snippet(launch, Deno.build.os);
    const { key, place, format, documentation } = client;
    const text = flags.json
      ? JSON.stringify({ client: key, place, format, snippet, ...launch, documentation }, null, 2)
      : snippet;
    if (file === undefined) terminal.print(text);
    else install(terminal, file, text, { format: flags.json || flags.link ? "text" : format, isForced: flags.force });
    if (!flags.json && !flags.link) terminal.note(`${client.display}: ${place}; see ${documentation}`);
    return await Promise.resolve(EXIT.clean);
  },
};

function linkOf(client: Client, launch: Parameters<Client["snippet"]>[0]): string {
  const link = client.link?.(launch, Deno.build.os);
  if (link) return link;
  const keys = CLIENTS.filter(({ link }) => link).map(({ key }) => key).join(", ");
  const why = client.link
    ? "installs from links only what npx and the like start"
    : "has no links that install a server";
  throw new Refusal("argument", `${client.display} ${why}; there are links for ${keys}`);
}

function checkServed(roots: readonly string[], auditOnly: boolean, noAudit: boolean): void {
  if (auditOnly && noAudit) throw new Refusal("argument", "--audit-only and --no-audit leave nothing to serve");
  if (auditOnly && roots.length > 0) {
    throw new Refusal("argument", "--root is for Reclaim, which --audit-only leaves out");
  }
  if (!auditOnly && roots.length === 0) {
    throw new Refusal("argument", "config needs --root DIR, the folder with your projects, or --audit-only");
  }
}
