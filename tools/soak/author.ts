/**
 * Writes down secrets as agents do: among prose, code and logs, in every spelling.
 *
 * @module
 */

import { recordMaker } from "../../bench/secrets_corpus.ts";
import { randomFrom } from "../../src/secrets/sample.ts";
import { asBase64, asHex, asJson, asPercents, asReferences, asUnicodeEscapes, asXml } from "./forms.ts";
import { openSupply, type Plant } from "./plants.ts";

/** A secret in a file. */
export interface Planted {
  /** Path below the history's root. */
  readonly file: string;
  readonly secret: string;
}

/** Writes pieces of histories. The same seed gives the same pieces. */
export interface Author {
  /** A whole number below `limit`. */
  below(limit: number): number;
  /** A JSON record with nothing in it. */
  line(): string;
  /** Lines of text with nothing in them. */
  prose(): string;
  /** Takes the next plant for a file. */
  plant(file: string, isSimple?: boolean): Plant;
  /** A line of JSON lines with secrets in it, or a torn one. */
  record(file: string): string;
  /** Lines of text with secrets in them. */
  passage(file: string): string;
  /** An element of XML with secrets in it. */
  element(file: string): string;
  /** All that was planted so far, each secret once a file. */
  readonly planted: readonly Planted[];
}

/** Opens an author. */
export function openAuthor(seed: number, pool: number): Author {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const supply = openSupply(seed);
  const make = recordMaker(seed);
  const lines: string[] = [];
  for (let size = 0; size < pool; size += lines.at(-1)!.length) lines.push(make());
  const planted = new Map<string, Planted>();

  const line = () => lines[below(lines.length)]!;
  const prose = () => {
    const { message } = JSON.parse(line());
    return String(
      typeof message.content === "string"
        ? message.content
        : message.content[0].text ?? `nothing was said at ${message.content[0].id ?? message.content[0].tool_use_id}`,
    );
  };
  const few = () => prose().slice(0, 200).replace(/[\ud800-\udbff]$/, "");

  function plant(file: string, isSimple = false): Plant {
    const taken = isSimple ? supply.nextSimple() : supply.next();
    for (const secret of taken.secrets) planted.set(`${file}\0${secret}`, { file, secret });
    return taken;
  }

  const RECORDS: readonly ((file: string) => string)[] = [
    (file) =>
      `{"type" :"user",  "n":1.50e+2,"content":"${
        asJson(`${few()}\n${plant(file).text}\n${few()}`)
      }","e":"\\u00e9\\/"}`,
    (file) => JSON.stringify({ out: JSON.stringify({ stdout: `${few()}\n${plant(file).text}\n`, code: 0 }), ok: true }),
    (file) => {
      const { text, secrets: [secret = ""] } = plant(file, true);
      return `{"text":"use ${text} now","copy":"${asUnicodeEscapes(secret)}","url":"https://h.example/?k=${
        asPercents(secret)
      }&x=1"}`;
    },
    (file) => {
      const { text, secrets: [secret = ""] } = plant(file, true);
      const lead = ["", "u", "us", "usr:"][below(4)]!;
      return JSON.stringify({
        text: `token ${text}`,
        header: `x ${asBase64(secret, lead)}`,
        dump: `[${asHex(secret)}]`,
      });
    },
    (file) => {
      const { text } = plant(file, true);
      return `{"${text}":[1, 2.0], "note":"${asJson(few())}"}`;
    },
    (file) => `{"torn":"${plant(file, true).text} and then`,
    (file) => JSON.stringify({ path: "a/b", said: `${few()}\r\n${plant(file).text}\r\n` }).replaceAll("/", "\\/"),
    (file) => {
      const { text } = plant(file);
      return JSON.stringify({ deep: JSON.stringify({ in: JSON.stringify({ it: few() }) }), said: `a\n${text}\nb` });
    },
  ];
  const PASSAGES: readonly ((file: string) => string)[] = [
    (file) => `${few()}\n${plant(file).text}\n${few()}`,
    (file) => `> export TOKEN=${plant(file, true).text}\n\n${few()}`,
    (file) => {
      const { text, secrets: [secret = ""] } = plant(file, true);
      return `said ${text}\nAuthorization: x ${asBase64(secret, "u")}\ndump ${asHex(secret)} ${asPercents(secret)}\n`;
    },
    (file) => `log: ${JSON.stringify({ body: JSON.stringify({ t: `x\n${plant(file).text}\n` }) })}\n`,
  ];
  const ELEMENTS: readonly ((file: string) => string)[] = [
    (file) => `<message author="user">${asXml(few())} ${plant(file, true).text}</message>`,
    (file) => `<option name='body' value="${asXml(`say ${plant(file, true).text} & go`)}" />`,
    (file) => `<![CDATA[ ${few().replaceAll("]]>", "")}\n${plant(file, true).text} ]]>`,
    (file) => `<!-- ${few().replaceAll("-", " ")} ${plant(file, true).text} -->`,
    (file) => {
      const { text, secrets: [secret = ""] } = plant(file, true);
      return `<a>${text}</a><b>${asReferences(secret)}</b>`;
    },
  ];
  const one = (writers: readonly ((file: string) => string)[]) => (file: string) =>
    writers[below(writers.length)]!(file);
  return {
    below,
    line,
    prose,
    plant,
    record: one(RECORDS),
    passage: one(PASSAGES),
    element: one(ELEMENTS),
    get planted() {
      return [...planted.values()];
    },
  };
}
