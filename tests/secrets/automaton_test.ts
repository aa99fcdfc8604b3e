import { assertEquals, assertThrows } from "@std/assert";
import { compileKeywords, emptyHits, PADDING } from "../../src/secrets/automaton.ts";
import { randomFrom } from "../../src/secrets/sample.ts";
import { joined } from "./_samples.ts";

const KEYWORDS = ["abc", "hf_", "_a_", "ghp_", "ghp_x", "cloud", "cloudflare", "flare key", "aaaa", "-----begin"];

function naive(text: string, from: number, to: number): string[] {
  const found: string[] = [];
  for (const keyword of KEYWORDS) {
    for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) {
      if (at >= from && at + keyword.length <= to) found.push(`${at} ${keyword}`);
    }
  }
  return found.sort();
}

function search(text: string, from = 0, to = text.length): string[] {
  const hits = emptyHits();
  compileKeywords(KEYWORDS).find(joined(text, new Uint8Array(PADDING)), from, to, hits);
  return Array.from(
    { length: hits.count },
    (_, index) => `${hits.positions[index]} ${KEYWORDS[hits.keywords[index] ?? -1]}`,
  )
    .sort();
}

Deno.test("keywords are found wherever a plain search finds them, and nowhere else", () => {
  const random = randomFrom(5);
  for (let round = 0; round < 300; round++) {
    let text = "";
    while (text.length < 200) {
      text += random() < 0.5 ? KEYWORDS[Math.floor(random() * KEYWORDS.length)] : "ab_ch-x "[Math.floor(random() * 8)];
    }
    assertEquals(search(text), naive(text, 0, text.length));
    const [from, to] = [Math.floor(random() * 50), 100 + Math.floor(random() * 50)];
    assertEquals(search(text, from, to), naive(text, from, to));
  }
});

Deno.test("keywords are found without regard to case, at both parities, at the very edges", () => {
  assertEquals(search("GhP_X"), ["0 ghp_", "0 ghp_x"]);
  assertEquals(search(" HF_"), ["1 hf_"]);
  assertEquals(search("abc"), ["0 abc"]);
});

Deno.test("a list of hits grows with what is found", () => {
  assertEquals(search("a".repeat(5003)).length, 5000);
});

Deno.test("a keyword too short to be found is refused", () => {
  assertThrows(() => compileKeywords(["ab"]), RangeError, "fewer than");
});
