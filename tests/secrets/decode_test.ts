import { assertEquals } from "@std/assert";
import { decodePercent, decodeUtf8, type MappedText, unescapeJson } from "../../src/secrets/decode.ts";
import { randomFrom } from "../../src/secrets/sample.ts";

const encoder = new TextEncoder();

/** Each character with the bytes from its offset to the next one's. */
function pieces(mapped: MappedText, bytes: Uint8Array): [string, string][] {
  return Array.from(mapped.text, (_, index) => [
    mapped.text[index] ?? "",
    new TextDecoder("latin1").decode(bytes.slice(mapped.offsetOf(index), mapped.offsetOf(index + 1))),
  ]);
}

Deno.test("every decoded character knows its bytes, through two layers of escapes", () => {
  const bytes = encoder.encode('a\\n\\\\\\"b\\u0041');
  const once = unescapeJson(decodeUtf8(bytes)) as MappedText;
  assertEquals(pieces(once, bytes), [["a", "a"], ["\n", "\\n"], ["\\", "\\\\"], ['"', '\\"'], ["b", "b"], [
    "A",
    "\\u0041",
  ]]);
  const twice = unescapeJson(once) as MappedText;
  assertEquals(pieces(twice, bytes), [["a", "a"], ["\n", "\\n"], ['"', '\\\\\\"'], ["b", "b"], ["A", "\\u0041"]]);
});

Deno.test("a text without escapes has no second reading", () => {
  assertEquals(unescapeJson(decodeUtf8(encoder.encode("plain"))), undefined);
  assertEquals(unescapeJson(decodeUtf8(encoder.encode("C:\\Dir"))), undefined);
  assertEquals(decodePercent(decodeUtf8(encoder.encode("100 %"))), undefined);
});

Deno.test("percent-encoding is undone; what is not ASCII is not guessed", () => {
  const bytes = encoder.encode("p%40ss%c3%A9");
  const decoded = decodePercent(decodeUtf8(bytes)) as MappedText;
  assertEquals(decoded.text, "p@ss\ufffd\ufffd");
  assertEquals([1, 2, 4, 6].map((index) => decoded.offsetOf(index)), [1, 4, 6, 12]);
});

Deno.test("offsets in UTF-8 are right for every byte sequence, valid or not", () => {
  const random = randomFrom(3);
  const bytesOfInterest = [
    0x41,
    0x80,
    0xbf,
    0xc1,
    0xc3,
    0xe0,
    0xa0,
    0xe2,
    0xed,
    0x9f,
    0xf0,
    0x90,
    0xf4,
    0x8f,
    0xf5,
    0xff,
  ];
  for (let round = 0; round < 2000; round++) {
    const bytes = Uint8Array.from({ length: 12 }, () => bytesOfInterest[Math.floor(random() * 16)] ?? 0);
    const { text, offsetOf } = decodeUtf8(bytes);
    assertEquals(text, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    for (let index = 0; index < text.length; index++) {
      const [from, to] = [offsetOf(index), offsetOf(index + 1)];
      const low = text.charCodeAt(index) >= 0xdc00 && text.charCodeAt(index) < 0xe000;
      const high = text.charCodeAt(index) >= 0xd800 && text.charCodeAt(index) < 0xdc00;
      if (low || high) continue;
      assertEquals(
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(from, to)),
        text[index],
        String(bytes),
      );
    }
    assertEquals(offsetOf(text.length), bytes.length);
  }
});
