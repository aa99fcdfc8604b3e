/** placeholder */
import type { Command } from "../command.ts";
export const command: Command = {
  name: "doctor",
  summary: "",
  flags: {},
  examples: [],
  keeps: () => [],
  run: () => Promise.resolve(0),
};
