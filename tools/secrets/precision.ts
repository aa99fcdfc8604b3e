/**
 * Measures false alarms: wraps public packages' sources, lock files, bundles, source maps, documents and images as
 * records of an agent's history, scans them, and lists every finding, masked, with what stands in front of it:
 *
 *     deno run -A tools/secrets/precision.ts [FOLDER_TO_KEEP_DOWNLOADS_IN]
 *
 * Needs npm, pip and tar, and a registry for each.
 *
 * @module
 */

import { chooseRules } from "../../src/secrets/catalogue.ts";
import { findingOf } from "../../src/secrets/scan.ts";
import { scanSpans } from "../../src/secrets/spans.ts";

/** Much used, of many kinds, and with what tempts rules: client libraries, test keys, documentation, bundles, maps. */
const NPM_PACKAGES = [
  "typescript@5.6.3",
  "lodash@4.17.21",
  "react-dom@18.3.1",
  "aws-sdk@2.1692.0",
  "@aws-sdk/client-s3@3.700.0",
  "firebase@11.0.2",
  "stripe@17.4.0",
  "@octokit/rest@21.0.2",
  "webpack@5.96.1",
  "prisma@5.22.0",
  "node-forge@1.3.1",
  "openai@4.73.0",
  "@slack/web-api@7.7.0",
  "twilio@5.3.6",
  "three@0.170.0",
  "core-js@3.39.0",
  "yarn@1.22.22",
  "npm@10.9.1",
  "jsonwebtoken@9.0.2",
  "@azure/storage-blob@12.25.0",
  "ethers@6.13.4",
];
const PYPI_PACKAGES = [
  "botocore==1.35.70",
  "cryptography==43.0.3",
  "ansible-core==2.17.6",
  "google-auth==2.36.0",
  "azure-identity==1.19.0",
  "twisted==24.10.0",
  "sqlalchemy==2.0.36",
  "slack_sdk==3.33.4",
  "anthropic==0.40.0",
  "apache-airflow-providers-amazon==9.1.0",
  "detect-secrets==1.5.0",
];

/** Of these the source archives, which have tests and documents. */
const PYPI_SOURCES = ["paramiko==3.5.0", "pyjwt==2.10.0", "requests==2.32.3", "django==5.1.3", "oauthlib==3.2.2"];

const CONTEXT = 70;
/** Larger files are read in part, as agents do. */
const LARGEST_FILE = 4 << 20;
const IMAGE = /\.(?:png|jpe?g|gif|ico|woff2?|wasm|gz)$/i;

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const { code } = await new Deno.Command(command, { args, cwd, stdout: "null", stderr: "inherit" }).output();
  if (code !== 0) console.error(`${command} ${args.join(" ")}: ended with ${code}`);
}

async function download(folder: string): Promise<void> {
  for (const name of NPM_PACKAGES) await run("npm", ["pack", "--silent", name], folder);
  const pip = (names: string[], ...more: string[]) => {
    return run("pip", ["download", "--quiet", "--no-deps", ...more, ...names], folder);
  };
  for (const name of PYPI_PACKAGES) await pip([name]);
  for (const name of PYPI_SOURCES) await pip([name], "--no-binary", ":all:");
  for (const { name } of [...Deno.readDirSync(folder)]) {
    const target = `${folder}/${name.replace(/(?:\.tar\.gz|\.tgz|\.whl)$/, "")}.unpacked`;
    await Deno.mkdir(target, { recursive: true });
    if (name.endsWith(".whl")) await run("python3", ["-m", "zipfile", "-e", name, target], folder);
    else await run("tar", ["xzf", name, "-C", target], folder);
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else if (isFile) yield `${folder}/${name}`;
  }
}

/** The text that an agent would have of a file: its lines, or the base64 of an image. */
function shown(path: string, bytes: Uint8Array): string | undefined {
  const part = bytes.subarray(0, LARGEST_FILE);
  if (IMAGE.test(path)) return `data:application/octet-stream;base64,${part.toBase64()}`;
  return part.subarray(0, 4096).includes(0) ? undefined : new TextDecoder().decode(part);
}

function record(path: string, content: string): string {
  const result = { type: "tool_result", tool_use_id: "toolu_01", content };
  return JSON.stringify({ type: "user", cwd: "/home/dev", file: path, message: { role: "user", content: [result] } });
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? await Deno.makeTempDir();
  await Deno.mkdir(folder, { recursive: true });
  if ([...Deno.readDirSync(folder)].length === 0) await download(folder);
  const counts = new Map<string, number>();
  const encoder = new TextEncoder();
  let bytes = 0;
  let findings = 0;
  for await (const path of filesBelow(folder)) {
    if (!path.includes(".unpacked/")) continue;
    const text = shown(path, await Deno.readFile(path));
    if (text === undefined) continue;
    const line = encoder.encode(record(path.slice(folder.length + 1), text) + "\n");
    bytes += line.length;
    const scanner = scanSpans({
      ...chooseRules({}),
      onSpan: (span) => {
        findings++;
        const { rule, masked } = findingOf(span);
        counts.set(rule, (counts.get(rule) ?? 0) + 1);
        const before = new TextDecoder().decode(line.slice(Math.max(0, span.start - CONTEXT), span.start));
        console.log(`${rule}\t${masked}\t${JSON.stringify(before)}\t${path.slice(folder.length + 1)}`);
      },
    });
    scanner.push(line);
    scanner.finish();
  }
  for (const [rule, count] of [...counts].sort((left, right) => right[1] - left[1])) console.log(`${count}\t${rule}`);
  const perHundred = findings / (bytes / 1e8);
  console.log(`${findings} findings in ${(bytes / 1e6).toFixed(0)} MB: ${perHundred.toFixed(1)} per 100 MB`);
}
