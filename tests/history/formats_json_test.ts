import { assert, assertEquals } from "@std/assert";
import { createJsonTokenizer, DEPTH_LIMIT } from "../../src/history/formats/json_tokens.ts";
import { unescapeJson } from "../../src/history/formats/json_text.ts";
import { OVERLAP_BYTES, PART_BYTES, WHOLE_BYTES } from "../../src/history/formats/strings.ts";
import type { HistoryString } from "../../src/history/read.ts";
import { concat, readBytes, readChunks, utf16, utf8 } from "./_formats.ts";
import { escapeRandomly, type Expected, randomJson, randomText, seeded } from "./_random.ts";

const brief = (found: readonly HistoryString[]) => found.map(({ keypath, text }) => [keypath, text]);

/** How a document's text becomes bytes, and where a position of the text is in them. */
interface Layout {
  readonly name: string;
  readonly bytes: (text: string) => Uint8Array;
  readonly offset: (text: string, position: number) => number;
  readonly decode: (bytes: Uint8Array) => string;
}

const decoder = (encoding: string) => (bytes: Uint8Array) =>
  new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
const LAYOUTS: readonly Layout[] = [
  {
    name: "UTF-8",
    bytes: utf8,
    offset: (text, position) => utf8(text.slice(0, position)).length,
    decode: decoder("utf-8"),
  },
  {
    name: "UTF-8 with a byte order mark",
    bytes: (text) => utf8("\ufeff" + text),
    offset: (text, position) => 3 + utf8(text.slice(0, position)).length,
    decode: decoder("utf-8"),
  },
  {
    name: "UTF-16LE",
    bytes: (text) => utf16("\ufeff" + text, true),
    offset: (_, position) => 2 + 2 * position,
    decode: decoder("utf-16le"),
  },
  {
    name: "UTF-16BE",
    bytes: (text) => utf16("\ufeff" + text, false),
    offset: (_, position) => 2 + 2 * position,
    decode: decoder("utf-16be"),
  },
];

/** What a reader must find in a text that begins with documents at the given positions. */
function expectedIn(text: string, parts: { at: number; line: number; strings: Expected[] }[], layout: Layout) {
  return parts.flatMap(({ at, line, strings }) =>
    strings.map((string): HistoryString => ({
      text: string.text,
      line,
      keypath: string.keypath,
      start: layout.offset(text, at + string.from),
      end: layout.offset(text, at + string.to),
      form: "json",
      key: string.key,
      part: 0,
    }))
  );
}

for (const layout of LAYOUTS) {
  Deno.test(`every string of random JSON lines is found with its exact span, in ${layout.name}, however it is chunked`, () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const lineEnd = seed % 2 === 0 ? "\n" : "\r\n";
      let text = "";
      const parts = [];
      for (let line = 1; line <= 8; line++) {
        const document = randomJson(random);
        parts.push({ at: text.length, line, strings: document.strings });
        text += document.text + (line < 8 || seed % 3 > 0 ? lineEnd : "");
      }
      const bytes = layout.bytes(text);
      const found = readBytes("jsonl", bytes);
      assertEquals(found, expectedIn(text, parts, layout), `seed ${seed}`);
      for (const { start, end, text: said } of found) {
        assertEquals(JSON.parse(layout.decode(bytes.slice(start, end))), said);
      }
      assertEquals(readChunks("jsonl", bytes, random, 9), found, `seed ${seed}`);
    }
  });

  Deno.test(`every string of a random document is found with its exact span, in ${layout.name}`, () => {
    for (let seed = 100; seed <= 160; seed++) {
      const random = seeded(seed);
      const { text, strings } = randomJson(random);
      const bytes = layout.bytes("\r\n\n" + text + "\n");
      const found = readBytes("json", bytes);
      assertEquals(found, expectedIn("\r\n\n" + text, [{ at: 3, line: 3, strings }], layout), `seed ${seed}`);
      assertEquals(readChunks("json", bytes, random, 5), found, `seed ${seed}`);
    }
  });
}

Deno.test("what JSON.parse accepts is JSON and what it rejects is text", () => {
  const samples = [
    '{"a":1}',
    "[]",
    "{}",
    "[1,]",
    '{"a":1,}',
    "{,}",
    "[,1]",
    '{"a"}',
    '{"a":}',
    "{a:1}",
    "01",
    "-",
    "-1",
    "1.",
    ".5",
    "1e",
    "1e+",
    "1e5",
    "tru",
    "true",
    "nulll",
    '"x"',
    '"x',
    "'x'",
    "[1 2]",
    '{"a":1 "b":2}',
    "[",
    "]",
    "{",
    "}",
    "[}",
    "{]",
    '{"a":[1,{"b":[]}]}',
    '"\\u12"x"',
    "NaN",
    "Infinity",
    "1 2",
    '"a" "b"',
    "//x",
    "{}x",
    "--1",
    "+1",
    "0x10",
    "1_000",
    "[true,false,null]",
    '{"":""}',
    "",
  ];
  for (const sample of samples) {
    let valid = true;
    try {
      JSON.parse(sample);
    } catch {
      valid = false;
    }
    const found = readBytes("jsonl", utf8(sample));
    const isText = found.some(({ form }) => form === "text");
    assertEquals(isText, !valid && sample !== "", sample);
  }
});

Deno.test("damaged JSON loses nothing: each line is text or has the strings that JSON.parse finds", () => {
  const random = seeded(7);
  for (let round = 0; round < 2000; round++) {
    const { text } = randomJson(random);
    const at = Math.floor(random() * text.length);
    const damage = ["", '"', "\\", ",", "}", "x"][Math.floor(random() * 6)] as string;
    // Cutting a surrogate pair in two leaves what cannot be written.
    const line = (text.slice(0, at) + damage + text.slice(at + 1)).toWellFormed();
    const found = readBytes("jsonl", utf8(line));
    let valid = true;
    try {
      JSON.parse(line);
    } catch {
      valid = false;
    }
    if (valid) assert(found.every(({ form }) => form === "json"));
    else if (!found.every(({ form }) => form === "json")) {
      assertEquals(found.map((string) => string.text).join(""), line);
    }
  }
});

Deno.test("a torn last line is text, the lines before it are JSON", () => {
  const found = readBytes("jsonl", utf8('{"a":"whole"}\n{"a":"torn secr'));
  assertEquals(brief(found), [["{key}", "a"], ["a", "whole"], ["", '{"a":"torn secr']]);
  assertEquals(found.at(-1)?.line, 2);
});

Deno.test("a line that is not JSON is text, and neighbouring ones are one text, so that a key over several lines is whole", () => {
  const found = readBytes("jsonl", utf8('{"a":"x"}\n-----BEGIN\r\nabc\n\n-----END\n{"b":"y"}\n'));
  assertEquals(found.filter(({ form }) => form === "text").map(({ text, line }) => [text, line]), [[
    "-----BEGIN\r\nabc\n\n-----END",
    2,
  ]]);
  assertEquals(found.at(-1)?.line, 6);
});

Deno.test("neighbouring lines that are not JSON overlap where they are too long to come as one", () => {
  const lines = Array.from({ length: 9000 }, (_, index) => `line ${index} that is no JSON, of some length`);
  const bytes = utf8('{"a":"x"}\n' + lines.join("\n") + '\n{"a":"y"}\n');
  const found = readBytes("jsonl", bytes);
  assertEquals(readChunks("jsonl", bytes, seeded(8), 100_000), found);
  const text = found.filter(({ form }) => form === "text");
  assert(text.length > 2);
  for (const [index, { start, end, line, text: said }] of text.entries()) {
    assertEquals(said, new TextDecoder().decode(bytes.slice(start, end)));
    assertEquals(line, bytes.subarray(0, start).filter((byte) => byte === 0x0a).length + 1);
    if (index > 0) assertEquals((text[index - 1]?.end ?? 0) - start, OVERLAP_BYTES);
  }
  assertEquals(found.at(-1)?.line, 9002);
});

Deno.test("two records that lost the line break between them are both JSON", () => {
  assertEquals(brief(readBytes("jsonl", utf8('{"a":"x"}{"b":["y"]} [ "z" ]'))), [
    ["{key}", "a"],
    ["a", "x"],
    ["{key}", "b"],
    ["b[0]", "y"],
    ["[0]", "z"],
  ]);
});

Deno.test("both of two members with the same key are found", () => {
  const found = readBytes("json", utf8('{"k":"one","k":"two"}'));
  assertEquals(found.filter(({ key }) => !key).map(({ text }) => text), ["one", "two"]);
});

Deno.test("a string that holds JSON is one text", () => {
  const inner = JSON.stringify({ a: "b" });
  assertEquals(brief(readBytes("jsonl", utf8(JSON.stringify({ s: inner })))).at(-1), ["s", inner]);
});

Deno.test("a key that may be a secret does not show in a keypath, but is found as a string", () => {
  const secret = "Zq8" + "vK2mX9pL4wRt";
  const found = readBytes("json", utf8(JSON.stringify({ [secret]: { text: "v" }, "two words": 1, "a.b-c_d": "w" })));
  assert(found.some(({ text, key }) => key && text === secret));
  assert(found.every(({ keypath }) => !keypath.includes(secret.slice(0, 8))));
  assertEquals(found.filter(({ key }) => !key).map(({ keypath }) => keypath), ["*.text", "a.b-c_d"]);
});

Deno.test("bytes that are not UTF-8 are read with exact spans, inside of strings and outside", () => {
  const bytes = concat(utf8('{"a":"x'), Uint8Array.of(0xff, 0xc3), utf8('y"}\n'), Uint8Array.of(0x80), utf8(" raw\n"));
  const found = readBytes("jsonl", bytes);
  assertEquals(found.map(({ text, start, end }) => [text, start, end]), [
    ["a", 1, 4],
    ["x\ufffd\ufffdy", 5, 11],
    ["\ufffd raw", 13, 18],
  ]);
});

Deno.test("raw control characters and unknown or cut escapes inside of strings are read leniently", () => {
  assertEquals(readBytes("jsonl", utf8('["a\tb","\\x41","\\u00g1","\\ud83d"]')).map(({ text }) => text), [
    "a\tb",
    "\\x41",
    "\\u00g1",
    "\ud83d",
  ]);
  assertEquals(readBytes("json", utf8('["a\nb"]')).map(({ text }) => text), ["a\nb"]);
  assertEquals(unescapeJson("\t\\n\\/\\q\\u0041\\"), "\t\n/\\qA\\");
});

Deno.test("an empty file, blank lines and NUL bytes are no error", () => {
  assertEquals(readBytes("jsonl", new Uint8Array(0)), []);
  assertEquals(readBytes("json", new Uint8Array(0)), []);
  assertEquals(readBytes("jsonl", utf8("\n \r\n\t\n")), []);
  assertEquals(brief(readBytes("jsonl", concat(new Uint8Array(9), utf8('\n{"a":1}')))), [["", "\0".repeat(9)], [
    "{key}",
    "a",
  ]]);
});

Deno.test("UTF-16 without a byte order mark is recognised", () => {
  assertEquals(brief(readBytes("jsonl", utf16('{"a":"é😀"}\n', true))).at(-1), ["a", "é😀"]);
});

Deno.test("nesting of 10,000 and 1,000,000 levels is JSON, and deeper than the limit is text", () => {
  for (const depth of [10_000, 1_000_000]) {
    const [found] = readBytes("json", utf8("[".repeat(depth) + '"deep"' + "]".repeat(depth)));
    assertEquals([found?.text, found?.form, found?.start], ["deep", "json", depth]);
    assert((found?.keypath.length ?? 0) < 400);
  }
  const tokens = createJsonTokenizer(() => {});
  const brackets = new Uint8Array(DEPTH_LIMIT + 1).fill(0x5b);
  assertEquals(tokens.feed(brackets, 0, brackets.length, 0), DEPTH_LIMIT);
});

/** Random content of a long string, and how it is written. */
function longString(seed: number, bytes: number): { content: string; written: string } {
  const random = seeded(seed);
  let [content, written] = ["", ""];
  while (written.length < bytes) {
    const piece = random() < 0.3 ? "\\".repeat(1 + Math.floor(random() * 9)) : randomText(random, 40);
    content += piece;
    written += [...piece].map((character) => escapeRandomly(character, random)).join("");
  }
  return { content, written };
}

for (const format of ["json", "jsonl"] as const) {
  Deno.test(`a string too long to hold comes in parts that overlap and miss nothing (${format})`, () => {
    const { content, written } = longString(format.length, 2 * WHOLE_BYTES);
    const bytes = utf8(`{"first":"x","long":"${written}","last":"y"}\n`);
    const found = readBytes(format, bytes);
    assertEquals(readChunks(format, bytes, seeded(3), 300_000), found);
    const parts = found.filter(({ part }) => part > 0);
    assert(parts.length > 3);
    let reached = parts[0]?.start ?? 0;
    let whole = "";
    for (const [index, { text, start, end, keypath, part }] of parts.entries()) {
      assertEquals([keypath, part], ["long", index + 1]);
      assertEquals(text, unescapeJson(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(start, end))));
      assert(end - start <= PART_BYTES);
      if (index > 0) assert(reached - start >= OVERLAP_BYTES && reached - start < OVERLAP_BYTES + 16);
      const fresh = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(reached, end));
      whole += unescapeJson(fresh);
      reached = end;
    }
    assertEquals(whole, content);
    assertEquals(found.filter(({ part, key }) => part === 0 && !key).map(({ text }) => text), ["x", "y"]);
  });

  Deno.test(`a string too long to hold comes in parts in UTF-16 too (${format})`, () => {
    const content = "é😀x".repeat(200_000);
    const bytes = utf16(`\ufeff{"k":"${content}"}\n`, format === "json");
    const found = readBytes(format, bytes);
    assertEquals(readChunks(format, bytes, seeded(9), 90_001), found);
    const decoder = new TextDecoder(format === "json" ? "utf-16le" : "utf-16be");
    let reached = 0;
    let whole = "";
    for (const { start, end, text } of found.filter(({ part }) => part > 0)) {
      assertEquals(text, decoder.decode(bytes.slice(start, end)));
      whole += decoder.decode(bytes.slice(Math.max(start, reached), end));
      reached = end;
    }
    assertEquals(whole, content);
  });

  Deno.test(`a long ${format} record that turns out not to be JSON is text from before that place on`, () => {
    const good = '{"a":"' + "x".repeat(WHOLE_BYTES + 5) + '","b":"last good string"';
    const bytes = utf8(`${good} oops ${"z".repeat(OVERLAP_BYTES)} the end`);
    const found = readBytes(format, bytes);
    assertEquals(readChunks(format, bytes, seeded(4), 200_000), found);
    assert(found.some(({ text, form }) => form === "json" && text === "last good string"));
    const text = found.filter(({ form }) => form === "text");
    assert(text[0]?.text.includes('"b":"last good string" oops'));
    assert(text.at(-1)?.text.endsWith(" the end"));
  });
}

Deno.test("a long torn line ends in text that begins with its torn string", () => {
  const bytes = utf8('{"n":1}\n{"a":"' + "x".repeat(3 * WHOLE_BYTES) + " tail");
  const found = readBytes("jsonl", bytes);
  assertEquals(readChunks("jsonl", bytes, seeded(5), 400_000), found);
  assert(found.at(-1)?.text.endsWith("xx tail"));
  assertEquals(found.at(-1)?.end, bytes.length);
});

Deno.test("lines around a long one keep their numbers", () => {
  const long = JSON.stringify({ a: "x".repeat(2 * WHOLE_BYTES) });
  const found = readBytes("jsonl", utf8(`{"a":"one"}\n${long}\nnot json\n${long}\n{"a":"five"}`));
  assertEquals(found.filter(({ key, part }) => !key && part <= 1).map(({ line }) => line), [1, 2, 3, 4, 5]);
});

Deno.test("lines of a long document are counted in strings, between them and behind them", () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `  "line ${index + 2} of the document, padded a bit",`);
  const found = readBytes("json", utf8(`[\n${lines.join("\n")}\n"end\nof it", "last"]`));
  for (const { text, line } of found.slice(0, -2)) assertEquals(text.startsWith(`line ${line} `), true, text);
  assertEquals(found.slice(-2).map(({ line }) => line), [40_002, 40_003]);
});
