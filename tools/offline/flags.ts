/**
 * The jsr.io switch: prints the flags to put behind `deno run`, `deno test`, ... on this machine, and nothing where
 * jsr.io answers. Where it does not, it writes `deno.offline.json` (`deno.json` plus `links` to the stand-ins of
 * `tools/offline/std/`) and prints `--config` with its path.
 *
 * It must itself run without any of the project's imports, since those are what may be out of reach.
 *
 * @module
 */

const ROOT = new URL("../../", import.meta.url);
const STAND_INS = ["assert", "fs", "path"];
const PATIENCE_MS = 3000;

/** Whether the registry that `jsr:` specifiers resolve against gives an answer. */
async function registryAnswers(): Promise<boolean> {
  const registry = Deno.env.get("JSR_URL") || "https://jsr.io";
  try {
    const answer = await fetch(new URL("/@std/path/meta.json", registry), {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Writes `text`; the rename keeps concurrent readers from seeing half of it. */
async function replace(url: URL, text: string): Promise<void> {
  const draft = new URL(`${url.pathname}.${crypto.randomUUID()}`, url);
  await Deno.writeTextFile(draft, text);
  await Deno.rename(draft, url);
}

/** Time of the last change in milliseconds; 0 for a file that is not there. */
async function modified(url: URL): Promise<number> {
  const info = await Deno.stat(url).catch(() => undefined);
  return info?.mtime?.getTime() ?? 0;
}

/**
 * Flags for this machine: `[]` where jsr.io answers, else `["--config", "<root>/deno.offline.json"]`, written anew
 * whenever `deno.json` or `deno.lock` changed.
 */
export async function offlineFlags(): Promise<string[]> {
  if (await registryAnswers()) return [];
  const config = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  config.links = STAND_INS.map((name) => `./tools/offline/std/${name}`);
  config.lock = "deno.offline.lock";
  // A publish dry run resolves the links as packages, which fails when its own rules exclude them.
  delete config.publish;
  const offline = new URL("deno.offline.json", ROOT);
  const text = JSON.stringify(config, null, 2) + "\n";
  if (await Deno.readTextFile(offline).catch(() => undefined) !== text) await replace(offline, text);
  // Deno adds the links to the lock file that it uses, so what is compared is the age, not the text.
  const [lock, copy] = [new URL("deno.lock", ROOT), new URL("deno.offline.lock", ROOT)];
  if (await modified(copy) < await modified(lock)) await replace(copy, await Deno.readTextFile(lock));
  return ["--config", decodeURIComponent(offline.pathname)];
}

if (import.meta.main) console.log((await offlineFlags()).join(" "));
