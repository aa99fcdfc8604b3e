/**
 * A hostile process: swaps what stands at a path for something else and back, in a tight loop, while another process
 * deletes there. It is started with the folder of the arenas and works through them in the order of their numbers; an
 * arena has begun when it put a file `begun` there, and is over when a file `done` stands in it.
 *
 * Each arena holds `p/find`, what stands at it by right, `stash`, a free name, and `evil`, what is put in its place.
 *
 * @module
 */

/** What the hostile process does. */
export type Manoeuvre =
  /** Swaps the find for `evil`. */
  | "find"
  /** Swaps the directory that holds the find for `evil`. */
  | "parent"
  /** Swaps a quarantine, as soon as it sees one, for `evil`. */
  | "quarantine";

/** Name of the find in an arena: `p/node_modules`. */
export const FIND = "node_modules";

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // The other process was faster.
  }
}

function stands(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function swap(place: string, arena: string): void {
  attempt(() => Deno.renameSync(place, `${arena}/stash`));
  attempt(() => Deno.renameSync(`${arena}/evil`, place));
  // How long the swapped-in thing stands varies, so that it is met at every step of the deletion.
  for (let spin = Math.random() * 2000; spin > 0; spin--);
  attempt(() => Deno.renameSync(place, `${arena}/evil`));
  attempt(() => Deno.renameSync(`${arena}/stash`, place));
  for (let spin = Math.random() * 4000; spin > 0; spin--);
}

function swapQuarantine(arena: string): void {
  attempt(() => {
    for (const { name } of Deno.readDirSync(`${arena}/p`)) {
      if (!name.startsWith(".agentsweep-quarantine")) continue;
      Deno.renameSync(`${arena}/p/${name}`, `${arena}/stash`);
      Deno.renameSync(`${arena}/evil`, `${arena}/p/${name}`);
      return;
    }
  });
}

if (import.meta.main) {
  const [arenas, manoeuvre, count] = Deno.args as [string, Manoeuvre, string];
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  for (let n = 0; n < Number(count); n++) {
    const arena = `${arenas}/${n}`;
    Deno.writeTextFileSync(`${arena}/begun`, "");
    while (!stands(`${arena}/done`)) {
      if (manoeuvre === "quarantine") swapQuarantine(arena);
      else swap(manoeuvre === "find" ? `${arena}/p/${FIND}` : `${arena}/p`, arena);
    }
  }
}
