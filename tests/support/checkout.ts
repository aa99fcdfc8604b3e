/**
 * Copies of this checkout: moved, changed, or served as a registry would.
 *
 * @module
 */

import { assert } from "@std/assert";
import { dirname, join, relative } from "@std/path";
import { CHECKOUT, OFFLINE } from "./server.ts";

/** A copy of the program that runs on its own. */
export interface Copy extends AsyncDisposable {
  /** Folder of the copy, with every link resolved. */
  readonly folder: string;
  /** Its main module. */
  readonly main: string;
  /** Flags of `deno run` that make its imports resolve. */
  readonly config: readonly string[];
}

const PARTS = ["main.ts", "deno.json", "deno.lock", "deno.offline.json", "deno.offline.lock", "src", "tools/offline"];

/** Copies the program. */
export async function copyCheckout(): Promise<Copy> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-copy-" }));
  for (const part of PARTS) copy(join(CHECKOUT, part), join(folder, part));
  return {
    folder,
    main: join(folder, "main.ts"),
    config: OFFLINE.map((flag) => flag.replace(CHECKOUT, folder)),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

function copy(from: string, to: string): void {
  try {
    if (Deno.lstatSync(from).isDirectory) {
      for (const { name } of Deno.readDirSync(from)) copy(join(from, name), join(to, name));
    } else {
      Deno.mkdirSync(dirname(to), { recursive: true });
      Deno.copyFileSync(from, to);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // where jsr.io answers there is no offline config
  }
}

/**
 * Changes a function of a module in a copy: `body` stands for it, sees its arguments as `args`, and may call the
 * honest one as `original`.
 */
export async function override(folder: string, module: string, name: string, body: string): Promise<void> {
  const path = join(folder, module);
  const source = await Deno.readTextFile(path);
  const declaration = new RegExp(`^(export )?(async )?function ${name}\\b`, "m");
  assert(declaration.test(source), `${module} has no function ${name}`);
  const exported = /^export /m.test(declaration.exec(source)![0]) ? "export " : "";
  const original = `__original_${name}`;
  await Deno.writeTextFile(
    path,
    source.replace(declaration, `$2function ${original}`) +
      `\n${exported}function ${name}(...args: any[]): any { const original: any = ${original}; ${body} }\n`,
  );
}

/** A program that is served over loopback HTTP the way that JSR serves a package. */
export interface Served extends AsyncDisposable {
  /** URL of the main module. */
  readonly main: string;
  /** `host:port`. */
  readonly host: string;
}

/** Serves the program in `folder` with its bare specifiers rewritten, as JSR does when it publishes. */
export async function serveCheckout(folder: string = CHECKOUT): Promise<Served> {
  const { imports } = JSON.parse(await Deno.readTextFile(join(folder, "deno.json"))) as {
    imports: Record<string, string>;
  };
  const isOffline = OFFLINE.length > 0;
  const resolved = (specifier: string, from: string): string => {
    const name = Object.keys(imports).find((name) => specifier === name || specifier.startsWith(`${name}/`));
    if (name === undefined) return specifier;
    if (isOffline && name.startsWith("@std/")) {
      const standIn = `tools/offline/std/${name.slice("@std/".length)}/mod.ts`;
      const path = relative(dirname(join("/", from)), join("/", standIn)).replaceAll("\\", "/");
      return path.startsWith(".") ? path : `./${path}`;
    }
    const target = imports[name]!;
    return specifier === name ? target : target.replace(/^(npm|jsr):/, "$1:/") + specifier.slice(name.length);
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const path = new URL(request.url).pathname.slice(1);
    try {
      const source = await Deno.readTextFile(join(folder, path));
      const text = source.replace(
        /(\bfrom\s+|\bimport\s+)"([^"]+)"/g,
        (_, before, specifier) => `${before}"${resolved(specifier, path)}"`,
      );
      return new Response(text, { headers: { "content-type": "application/typescript" } });
    } catch {
      return new Response("not found", { status: 404 });
    }
  });
  const host = `127.0.0.1:${server.addr.port}`;
  return { main: `http://${host}/main.ts`, host, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** The program as one file, without anything beside it. */
export async function bundleProgram(): Promise<Copy> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "agentsweep-bundle-" }));
  const main = join(folder, "agentsweep.js");
  const args = ["bundle", "--quiet", ...OFFLINE, "--output", main, join(CHECKOUT, "main.ts")];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert(success, new TextDecoder().decode(stderr));
  return {
    folder,
    main,
    config: ["--no-config"],
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
