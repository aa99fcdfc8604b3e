/**
 * Synthetic secrets of many kinds, each in words by which it is found: some made here, any number of them, and the
 * examples of every rule.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { entropyToMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { chooseRules } from "../../src/secrets/catalogue.ts";
import { withBase62Checksum } from "../../src/secrets/checksums.ts";
import {
  ALNUM,
  BASE64,
  BASE64URL,
  DIGITS,
  HEX,
  LOWER_ALNUM,
  randomFrom,
  sample,
  UPPER_ALNUM,
} from "../../src/secrets/sample.ts";
import { scanSpans } from "../../src/secrets/spans.ts";

/** Something to put into a history. */
export interface Plant {
  /** What it is: the name of a maker, or the id of the rule whose example it is. */
  readonly kind: string;
  /** The text to put there. */
  readonly text: string;
  /** The plaintexts in it; none may be left. */
  readonly secrets: readonly string[];
  /** Whether it is one word of letters, digits and signs that no format escapes. */
  readonly isSimple: boolean;
}

/** Makes the n-th secret of one kind. */
type Maker = (seed: number) => Omit<Plant, "kind" | "isSimple">;

const word = (secret: string): ReturnType<Maker> => ({ text: secret, secrets: [secret] });
const within = (secret: string, make: (secret: string) => string): ReturnType<Maker> => ({
  text: make(secret),
  secrets: [secret],
});

/** Bytes that look like those of a key. */
function noise(length: number, seed: number): Uint8Array {
  const random = randomFrom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

function privateKey(seed: number, glue: string): ReturnType<Maker> {
  const lines = Buffer.from(noise(380, seed)).toString("base64").match(/.{1,64}/g) ?? [];
  const [begin, end] = ["BEGIN", "END"].map((side) => `-----${side} RSA ${"PRIVATE"} ${"KEY"}-----`);
  return { text: [begin, ...lines, end].join(glue), secrets: lines.filter((line) => line.length === 64) };
}

function webToken(seed: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: sample(DIGITS, 10, seed), name: sample(ALNUM, 12, seed), iat: 1516239022 };
  return [part({ alg: "HS256", typ: "JWT" }), part(claims), sample(BASE64URL, 43, seed)].join(".");
}

const MAKERS: Readonly<Record<string, Maker>> = {
  gitlab: (seed) => word(`glpat${"-"}${sample(ALNUM, 20, seed)}`),
  github: (seed) => word(withBase62Checksum(`ghp${"_"}${sample(ALNUM, 36, seed)}`)),
  npm: (seed) => word(withBase62Checksum(`npm${"_"}${sample(ALNUM, 36, seed)}`)),
  anthropic: (seed) => word(`sk-ant${"-"}api03-${sample(BASE64URL, 93, seed)}AA`),
  stripe: (seed) => word(`sk${"_"}live_${sample(ALNUM, 24, seed)}`),
  sendgrid: (seed) => word(`SG${"."}${sample(ALNUM, 22, seed)}.${sample(ALNUM, 43, seed)}`),
  google: (seed) => word(`AIza${sample(ALNUM, 35, seed)}`),
  "hugging-face": (seed) => word(`hf${"_"}${sample(ALNUM.slice(10), 34, seed)}`),
  slack: (seed) =>
    word(`xoxb${"-"}${sample(DIGITS, 12, seed)}-${sample(DIGITS, 12, seed + 7)}-${sample(ALNUM, 24, seed)}`),
  jwt: (seed) => word(webToken(seed)),
  "aws-key": (seed) => {
    const [id, secret] = [`AKIA${sample(UPPER_ALNUM.slice(12), 16, seed)}`, sample(BASE64, 40, seed)];
    return { text: `aws_access_key_id = ${id}\naws_secret_access_key = ${secret}\n`, secrets: [id, secret] };
  },
  "database-url": (seed) =>
    within(sample(ALNUM, 18, seed), (secret) => `postgres://app:${secret}@db${seed}.corp.internal:5432/main?a=b&c=d`),
  "basic-auth-url": (seed) =>
    within(sample(ALNUM, 20, seed), (secret) => `curl "https://ci:${secret}@git.corp.internal/x"`),
  bearer: (seed) =>
    within(sample(ALNUM, 40, seed), (secret) => `curl -H 'Authorization: Bearer ${secret}' https://api.corp.internal`),
  datadog: (seed) => within(sample(HEX, 32, seed), (secret) => `export DATADOG_API_KEY="${secret}"`),
  password: (seed) =>
    within(
      `${sample(ALNUM, 9, seed)}%+!/${sample(LOWER_ALNUM, 6, seed)}`,
      (secret) => `mysql --user=root --password='${secret}' main`,
    ),
  "private-key": (seed) => privateKey(seed, "\n"),
  "private-key-escaped": (seed) => privateKey(seed, "\\n"),
  "seed-phrase": (seed) => within(entropyToMnemonic(noise(16, seed), wordlist), (secret) => `wallet: ${secret}`),
};

/** What a scan finds in a text. */
function secretsIn(text: string): string[] {
  const found: string[] = [];
  const scanner = scanSpans({ ...chooseRules({}), onSpan: ({ secret }) => found.push(secret) });
  scanner.push(new TextEncoder().encode(text));
  scanner.finish();
  return found;
}

/** A shorter one may stand in any text by chance, so that a search for it proves nothing. */
const TELLING = 8;
/** The parts of a secret of several lines that tell it. */
const TELLING_LINE = 24;

function partsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+|(?:\\+[rn])+/);
  if (lines.length === 1) return [secret];
  return lines.map((line) => line.trim()).filter((line) => line.length >= TELLING_LINE && !line.startsWith("-----"));
}

/**
 * The examples of every rule that runs by default, in a fixed order. Examples share values: one that shows the secret of
 * another where it is none is left out, since it would be found there rightly.
 */
function examplesOfRules(): Plant[] {
  const plants = allExamples();
  const all = [...new Set(plants.flatMap(({ secrets }) => secrets))];
  return plants.filter(({ text, secrets }) =>
    all.every((secret) => !text.includes(secret) || secrets.includes(secret))
  );
}

function allExamples(): Plant[] {
  return chooseRules({}).rules.flatMap(({ id, examples }) =>
    examples.match().flatMap((example): Plant[] => {
      const text = `\n${example}\n`;
      const found = secretsIn(text).flatMap(partsOf);
      const isTelling = found.length > 0 && found.every((secret) => secret.length >= TELLING);
      return isTelling ? [{ kind: id, text, secrets: [...new Set(found)], isSimple: false }] : [];
    })
  );
}

/** A supply of plants without end, no two equal but for the examples of rules. */
export interface Supply {
  /** The next one. */
  next(): Plant;
  /** The next one that {@linkcode Plant.isSimple}. */
  nextSimple(): Plant;
}

/** Most plants of one kind that no scan finds in a row: some look like a placeholder by chance. */
const MOST_PASSED_OVER = 3;

/**
 * Opens a supply. What no scan finds is passed over: what can be found is measured elsewhere.
 *
 * @throws {Error} If nothing that a maker makes is found: the maker is wrong then, or detection is.
 */
export function openSupply(seed: number): Supply {
  const makers = Object.entries(MAKERS);
  const examples = examplesOfRules();
  let kinds = 0;
  let made = 0;
  let example = 0;
  const make = (): Plant => {
    const [kind, maker] = makers[kinds++ % makers.length]!;
    for (let passed = 0; passed < MOST_PASSED_OVER; passed++) {
      const plant = maker(seed * 100_000 + ++made);
      if (isFound(plant)) return { kind, ...plant, isSimple: /^[\w.-]+$/.test(plant.text) };
    }
    throw new Error(`no scan finds the ${kind} that is planted`);
  };
  const nextSimple = () => {
    for (;;) {
      const plant = make();
      if (plant.isSimple) return plant;
    }
  };
  return { next: () => (example + kinds) % 2 === 1 ? examples[example++] ?? make() : make(), nextSimple };
}

function isFound({ text, secrets }: ReturnType<Maker>): boolean {
  const found = secretsIn(`\n${text}\n`);
  return secrets.every((secret) => found.some((each) => each.includes(secret)));
}
