import { assert, assertEquals } from "@std/assert";
import { visible, visibleValue } from "../../src/text/visible.ts";

Deno.test("ordinary text of any script stays as it is", () => {
  for (const text of ["node_modules", "übung", "日本語", "привет", "שלום", "a b", "🙂", "C:\\code", "e\u0301"]) {
    assertEquals(visible(text), text);
  }
});

Deno.test("controls, newlines and terminal escapes are spelled out", () => {
  assertEquals(visible("a\nb\r\t\0\u001b[31m\u007f\u009b"), "a\\u{a}b\\u{d}\\u{9}\\u{0}\\u{1b}[31m\\u{7f}\\u{9b}");
});

Deno.test("bidirectional overrides, zero-width characters, tags and variation selectors are spelled out", () => {
  assertEquals(visible("a\u202eb\u200bc\ufeff"), "a\\u{202e}b\\u{200b}c\\u{feff}");
  const hidden = String.fromCodePoint(0xe0041, 0xe0100, 0xfe0f, 0x2066, 0x3164);
  assertEquals(visible(hidden), "\\u{e0041}\\u{e0100}\\u{fe0f}\\u{2066}\\u{3164}");
});

Deno.test("lone surrogates are spelled out, pairs are not", () => {
  assertEquals(visible("\ud83d"), "\\u{d83d}");
  assertEquals(visible("\ude42\ud83d"), "\\u{de42}\\u{d83d}");
  assertEquals(visible("\ud83d\ude42"), "🙂");
});

Deno.test("no character that Unicode lets a display ignore gets through", () => {
  const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (ignorable.test(character)) assert(visible(character) !== character, `U+${code.toString(16)}`);
  }
});

Deno.test("every string of a value is made visible, keys too, and nothing else changes", () => {
  const value = { "k\n": ["a\u202e", 1, null, true, { deep: "\u200b" }] };
  assertEquals(visibleValue<unknown>(value), { "k\\u{a}": ["a\\u{202e}", 1, null, true, { deep: "\\u{200b}" }] });
  assertEquals(value, { "k\n": ["a\u202e", 1, null, true, { deep: "\u200b" }] });
});

Deno.test("a key called __proto__ stays a key", () => {
  const value: unknown = JSON.parse('{"__proto__": {"a": "b"}}');
  assertEquals(JSON.stringify(visibleValue(value)), '{"__proto__":{"a":"b"}}');
});
