/**
 * Where a machine keeps its users' data, computed from a {@linkcode Host} without asking the system.
 *
 * @module
 */
import type { Host, HostOs } from "./source.ts";

/** The directories that sources are declared in terms of. Each function joins its parts to its directory. */
export interface Places {
  /** Which layout applies. */
  readonly os: HostOs;
  /** The user's home directory. */
  readonly home: (...parts: string[]) => string;
  /** Configuration: `%APPDATA%`, `~/Library/Application Support`, or `$XDG_CONFIG_HOME` else `~/.config`. */
  readonly config: (...parts: string[]) => string;
  /** Data: `%LOCALAPPDATA%`, `~/Library/Application Support`, or `$XDG_DATA_HOME` else `~/.local/share`. */
  readonly data: (...parts: string[]) => string;
  /** XDG data directory on every system: `$XDG_DATA_HOME` else `~/.local/share`. */
  readonly xdgData: (...parts: string[]) => string;
  /** XDG state directory on every system: `$XDG_STATE_HOME` else `~/.local/state`. */
  readonly xdgState: (...parts: string[]) => string;
  /** XDG cache directory on every system: `$XDG_CACHE_HOME` else `~/.cache`. */
  readonly xdgCache: (...parts: string[]) => string;
  /** `%APPDATA%`, else `~/AppData/Roaming`. */
  readonly appData: (...parts: string[]) => string;
  /** `%LOCALAPPDATA%`, else `~/AppData/Local`. */
  readonly localAppData: (...parts: string[]) => string;
  /** The directories that a variable lists, separated by commas; empty when it is unset. A leading `~` is the home. */
  readonly listed: (variable: string) => string[];
  /** The directory that a variable names, with `parts` joined; `undefined` when it is unset. */
  readonly named: (variable: string, ...parts: string[]) => string | undefined;
  /** Joins parts to a base. */
  readonly join: (base: string, ...parts: string[]) => string;
}

const known = new WeakMap<Host, Places>();

/**
 * Directories of a machine.
 *
 * @throws {TypeError} if neither `HOME` nor `USERPROFILE` is set.
 */
export function placesOf(host: Host): Places {
  const places = known.get(host) ?? compute(host);
  known.set(host, places);
  return places;
}

function compute(host: Host): Places {
  const separator = host.separator ?? (host.os === "windows" ? "\\" : "/");
  const variable = (name: string) => host.env[name]?.trim() || undefined;
  const join = (base: string, ...parts: string[]): string => {
    const tail = parts.flatMap((part) => part.split("/")).filter((part) => part !== "");
    return [base.replace(/(?<=.)[/\\]+$/, ""), ...tail].join(separator).replace(/^\/\//, "/");
  };
  const home = host.os === "windows"
    ? variable("USERPROFILE") ?? variable("HOME")
    : variable("HOME") ?? variable("USERPROFILE");
  if (home === undefined) throw new TypeError("Neither HOME nor USERPROFILE is set: the histories cannot be located");

  const at = (base: string) => (...parts: string[]) => join(base, ...parts);
  const expand = (path: string) => /^~(?=$|[/\\])/.test(path) ? join(home, path.slice(1).replaceAll("\\", "/")) : path;
  const listed = (name: string) =>
    (variable(name) ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "").map((part) =>
      join(expand(part))
    );
  const xdg = (name: string, fallback: string) => at(variable(name) ?? join(home, fallback));

  const appData = at(variable("APPDATA") ?? join(home, "AppData/Roaming"));
  const localAppData = at(variable("LOCALAPPDATA") ?? join(home, "AppData/Local"));
  const support = at(join(home, "Library/Application Support"));
  const xdgData = xdg("XDG_DATA_HOME", ".local/share");
  return {
    os: host.os,
    home: at(home),
    config: { windows: appData, darwin: support, linux: xdg("XDG_CONFIG_HOME", ".config") }[host.os],
    data: { windows: localAppData, darwin: support, linux: xdgData }[host.os],
    xdgData,
    xdgState: xdg("XDG_STATE_HOME", ".local/state"),
    xdgCache: xdg("XDG_CACHE_HOME", ".cache"),
    appData,
    localAppData,
    listed,
    named: (name, ...parts) => {
      const value = variable(name);
      return value === undefined ? undefined : join(expand(value), ...parts);
    },
    join,
  };
}
