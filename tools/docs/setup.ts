/**
 * `docs/setup.md`, from the table of clients.
 *
 * @module
 */

import { CLIENTS } from "../../src/cli/clients.ts";

const ROOT = "/home/me/code";
const LAUNCH = {
  command: "deno",
  args: [
    "run",
    "--no-config",
    "--no-prompt",
    `--allow-read=${ROOT},/home/me/.claude,/home/me/.codex`,
    `--allow-write=${ROOT}`,
    "--allow-env=HOME",
    "jsr:@agentsweep/mcp",
    "--root",
    ROOT,
  ],
};

/** Reclaim alone for the folder `root`, as the README shows it. */
function reclaimAlone(root: string) {
  const permissions = [`--allow-read=${root}`, `--allow-write=${root}`];
  const args = [
    "run",
    "--no-prompt",
    "--no-config",
    ...permissions,
    "jsr:@agentsweep/mcp",
    "--root",
    root,
    "--no-audit",
  ];
  return { command: "deno", args };
}

/**
 * Links for pages that only show `https:` links, by the client's name. VS Code asks for the folder; Cursor shows the entry
 * before it installs it, with a folder in it to change.
 */
export function installLinks(): [client: string, link: string][] {
  const asked = {
    id: "root",
    type: "promptString",
    description: "Folder with your projects: the only place it may change",
  };
  const vscode = { name: "agentsweep", type: "stdio", ...reclaimAlone("${input:root}"), inputs: [asked] };
  const cursor = new TextEncoder().encode(JSON.stringify(reclaimAlone("${userHome}/code"))).toBase64();
  const handled = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(vscode))}`;
  return [
    ["VS Code", `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(handled)}`],
    ["Cursor", `https://cursor.com/en/install-mcp?name=agentsweep&config=${encodeURIComponent(cursor)}`],
  ];
}

/** The text of `docs/setup.md`. */
export function setupPage(): string {
  const sections = CLIENTS.map((client) =>
    [
      `## ${client.display}`,
      `\`agentsweep config --client ${client.key} --root ${ROOT}\`; goes to: ${client.place}.`,
      `\`\`\`${client.format === "shell" ? "sh" : client.format}\n${client.snippet(LAUNCH, "linux")}\n\`\`\``,
      `[What the client's own documentation says](${client.documentation}).${
        client.link ? ` With \`--link\` it prints a link that installs the server with one click.` : ""
      }`,
    ].join("\n\n")
  );
  return [
    "# Setting it up in a client",
    "Written by `tools/docs/main.ts` from `src/cli/clients.ts`; change it there.",
    "Do not copy these by hand: `config` prints the same for your machine, with your folders, the histories that are " +
    "really there and nothing else. What each flag is for:",
    [
      "- `--allow-read`: your project folders, which are the roots, and each agent's history.",
      "- `--allow-write`: the roots alone. Histories are never written by the server unless you enable redaction.",
      "- `--allow-env`: the few variables that say where histories are. They are read once, at the start.",
      "- `--no-prompt`: what is missing becomes an error instead of a question that nobody sees.",
      "- `--no-config`: no `deno.json` of the folder that the client starts in decides what the program's imports mean.",
    ].join("\n"),
    "After that, restart the client. Ask the agent which targets there are: the answer names the roots and how the " +
    "sandbox holds the server. `doctor` says on the command line what is wrong and how to mend it.",
    "## With one click",
    "These install Reclaim alone, and need `deno` on the path: " +
    installLinks().map(([client, link]) => `[${client}](${link})`).join(", ") +
    ". VS Code asks for the folder; in Cursor put your own in the place of `${userHome}/code`. For the Audit tools too, and " +
    "for LM Studio and Goose, `config --client NAME --root DIR --link` prints a link for your machine.",
    ...sections,
  ].join("\n\n") + "\n";
}
