import { assertEquals } from "@std/assert";
import { entropyToMnemonic } from "@scure/bip39";
import { wordlist as czech } from "@scure/bip39/wordlists/czech.js";
import { wordlist as english } from "@scure/bip39/wordlists/english.js";
import { wordlist as french } from "@scure/bip39/wordlists/french.js";
import { wordlist as italian } from "@scure/bip39/wordlists/italian.js";
import { wordlist as japanese } from "@scure/bip39/wordlists/japanese.js";
import { wordlist as korean } from "@scure/bip39/wordlists/korean.js";
import { wordlist as portuguese } from "@scure/bip39/wordlists/portuguese.js";
import { wordlist as simplifiedChinese } from "@scure/bip39/wordlists/simplified-chinese.js";
import { wordlist as spanish } from "@scure/bip39/wordlists/spanish.js";
import { wordlist as traditionalChinese } from "@scure/bip39/wordlists/traditional-chinese.js";
import { scanBytes, scanText } from "../../src/secrets/mod.ts";
import { electrumVersionHolds } from "../../src/secrets/phrase.ts";
import { randomFrom } from "../../src/secrets/sample.ts";
import { joined, utf16 } from "./_samples.ts";

const LISTS = {
  czech,
  english,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  simplifiedChinese,
  spanish,
  traditionalChinese,
};

function phrase(words: number, seed: number, list: string[] = english): string {
  const random = randomFrom(seed);
  const entropy = Uint8Array.from({ length: words / 3 * 4 }, () => Math.floor(random() * 256));
  return entropyToMnemonic(entropy, list).normalize("NFC");
}

const NUMBERED = (words: string[]) => words.map((word, index) => `${index + 1}. ${word}`);

Deno.test("a phrase of every length and language is found, in prose, lists, lines and commas", () => {
  for (const [name, list] of Object.entries(LISTS)) {
    for (const count of [12, 15, 18, 21, 24]) {
      const words = phrase(count, count, list).split(/[ \u3000]/);
      const forms = [
        words.join(" "),
        `Here it is: ${words.join(" ")}. Keep IT safe!`,
        words.join(", "),
        NUMBERED(words).join("\n"),
        NUMBERED(words).join("   "),
        words.join("\r\n"),
        JSON.stringify(words),
        JSON.stringify({ text: JSON.stringify(NUMBERED(words).join("\n")) }),
      ];
      for (const form of forms) {
        const found = scanText(form).map(({ rule, masked, start, end }) => [rule, masked, form.slice(start, end)]);
        const from = form.indexOf(words[0] ?? "");
        const last = words.at(-1) ?? "";
        const held = form.slice(from, form.lastIndexOf(last) + last.length);
        assertEquals(found, [["bip39-mnemonic", `${count} words`, held]], `${name} ${form}`);
      }
    }
  }
});

Deno.test("a phrase with Japanese spaces, in decomposed form, and in UTF-16 is found", () => {
  assertEquals(scanText(phrase(12, 1, japanese).replaceAll(" ", "\u3000")).length, 1);
  assertEquals(scanText(phrase(12, 1, japanese).normalize("NFKD")).length, 1);
  assertEquals(scanText(phrase(24, 2, french).normalize("NFKD")).length, 1);
  assertEquals(scanBytes(joined(utf16(phrase(12, 3)))).map(({ masked }) => masked), ["12 words"]);
});

Deno.test("a phrase anywhere in a stream is found", () => {
  const secret = phrase(12, 9);
  for (let before = 0; before < 100; before++) {
    const text = `${"#".repeat(before)}\n${secret}\n`;
    assertEquals(scanText(text).map(({ start, line }) => [start, line]), [[before + 1, 2]]);
  }
});

Deno.test("one wrong word, a word too few, a sorted list and prose are no phrases", () => {
  const words = phrase(12, 4).split(" ");
  const wrong = [...words.slice(0, 11), words[11] === "zoo" ? "zone" : "zoo"];
  assertEquals(scanText(wrong.join(" ")), []);
  assertEquals(scanText(words.slice(1).join(" ")), []);
  assertEquals(scanText(english.join(" ")), []);
  assertEquals(scanText(JSON.stringify(english, null, 2)), []);
  assertEquals(scanText("this is able to cover some about what they said when we first did the other thing"), []);
});

Deno.test("two phrases one after the other are two findings", () => {
  const text = `${phrase(12, 5)}\n\n${phrase(24, 6)}\n`;
  assertEquals(scanText(text).map(({ masked }) => masked), ["12 words", "24 words"]);
});

Deno.test("an Electrum seed is found by its version", () => {
  const random = randomFrom(77);
  let words: string[];
  do words = Array.from({ length: 12 }, () => english[Math.floor(random() * 2048)] ?? ""); while (
    !electrumVersionHolds(words)
  );
  const [finding] = scanText(`seed: ${words.join(" ")}`);
  assertEquals([finding?.rule, finding?.masked], ["electrum-seed", "12 words"]);
});

Deno.test("seed phrases can be left out", () => {
  assertEquals(scanText(phrase(12, 5), { rules: ["github-pat"] }), []);
  assertEquals(scanText(phrase(12, 5), { rules: ["bip39-mnemonic"] }).length, 1);
});
