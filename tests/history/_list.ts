/** Lists what discovery yields for the sources named in the arguments, as JSON: a process whose permissions a test sets. */
import { accessOf, detect, hostOf, rootAccess } from "../../src/history/mod.ts";
import { found, resolved } from "./_machine.ts";

const [home = "", ...keys] = Deno.args;
const sources = keys.map((key) => resolved(key, hostOf("linux", { HOME: home })));
console.log(JSON.stringify({
  ...await found(sources),
  detected: [...await detect(sources)],
  access: sources.map(accessOf),
  roots: sources.flatMap(rootAccess),
}));
