import { assert, assertEquals } from "@std/assert";
import { cutJson, cutText, cutXml } from "../../src/history/formats/cut.ts";
import { createLocator, locateInLine } from "../../src/history/formats/locate.ts";
import { OVERLAP_BYTES, PART_BYTES } from "../../src/history/formats/strings.ts";
import { createReader, type StreamFormat } from "../../src/history/formats/reader.ts";
import { unescapeXml } from "../../src/history/formats/xml.ts";
import { concat, readBytes, readChunks, utf16, utf8 } from "./_formats.ts";
import { randomJson, randomText, seeded } from "./_random.ts";

const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

Deno.test("text is one span of many lines, so that a key over several lines is whole", () => {
  const text = "-----BEGIN\r\nabc\r\n-----END\r\n";
  assertEquals(readBytes("text", utf8("\ufeff" + text)), [
    { text, line: 1, keypath: "", start: 3, end: 3 + text.length, form: "text", key: false, part: 0 },
  ]);
});

Deno.test("readers at work side by side, or ended twice, share no memory", () => {
  const found: string[] = [];
  const make = () => createReader("text", ({ text }) => found.push(text), { size: 20 });
  const [first, second] = [make(), make()];
  first.push(utf8("the first"));
  first.end();
  first.end();
  const [third, fourth] = [make(), make()];
  third.push(utf8("the third"));
  fourth.push(utf8("the fourth"));
  second.push(utf8("the second"));
  for (const reader of [second, third, fourth]) reader.end();
  assertEquals([...new Set(found)], ["the first", "the second", "the third", "the fourth"]);
});

Deno.test("a long text comes in parts that overlap, cover all and say on which line they begin", () => {
  const random = seeded(11);
  let text = "";
  while (text.length < 3 * PART_BYTES) text += randomText(random, 60) + "\n";
  const bytes = concat(utf8(text), Uint8Array.of(0xff, 0xe2, 0x82));
  const found = readBytes("text", bytes);
  assertEquals(readChunks("text", bytes, random, 500_000), found);
  let reached = 0;
  for (const { text: said, start, end, line } of found) {
    assertEquals(said, decode(bytes.slice(start, end)));
    assertEquals(line, bytes.subarray(0, start).filter((byte) => byte === 0x0a).length + 1);
    if (reached > 0) assert(reached - start >= OVERLAP_BYTES && reached - start < OVERLAP_BYTES + 4);
    reached = end;
  }
  assertEquals(reached, bytes.length);
});

Deno.test("text in UTF-16 of both byte orders is decoded", () => {
  for (const littleEndian of [true, false]) {
    const [found] = readBytes("text", utf16("\ufeffeins é😀\nzwei", littleEndian));
    assertEquals([found?.text, found?.start, found?.end], ["eins é😀\nzwei", 2, 28]);
  }
});

Deno.test("no cut of JSON, text or XML splits a character, an escape or a reference", () => {
  const random = seeded(12);
  for (let round = 0; round < 400; round++) {
    const content = JSON.stringify(randomText(random, 30) + "\\".repeat(round % 5)).slice(1, -1) +
      "\\ud83d\\ude00\\u00e9";
    const bytes = utf8(content);
    for (let at = 0; at <= bytes.length; at++) {
      const cut = cutJson(bytes, 0, at);
      assert(cut <= at && at - cut <= 12);
      const [head, tail] = [decode(bytes.slice(0, cut)), decode(bytes.slice(cut))];
      const halves = JSON.parse(`"${head}"`) + JSON.parse(`"${tail}"`);
      assertEquals(halves, JSON.parse(`"${content}"`));
      assert(JSON.parse(`"${head}"`).isWellFormed());
    }
    const text = randomText(random, 30);
    for (let at = 0; at <= utf8(text).length; at++) {
      const cut = cutText(utf8(text), 0, at);
      assertEquals(decode(utf8(text).slice(0, cut)) + decode(utf8(text).slice(cut)), text);
    }
  }
  const xml = "a&amp;b&#x1F600;c& d&lt;";
  for (let at = 0; at <= xml.length; at++) {
    const cut = cutXml(utf8(xml), 0, at);
    assertEquals(unescapeXml(xml.slice(0, cut)) + unescapeXml(xml.slice(cut)), unescapeXml(xml));
  }
});

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE application>
<application>
  <component name="ChatSessionStateTemp">
    <!-- a comment -->
    <option name="content" value="line one&#10;&quot;quoted&quot; &amp; &#x41;&unknown;" />
    <text>between &lt;tags&gt;</text>
    <![CDATA[raw & <unparsed>]]>
    <empty/><bare attribute=unquoted-value other='single'/>
  </component>
</application>
`;

Deno.test("all of an XML file's strings are found, references undone, with the spans of their bytes", () => {
  const bytes = utf8(XML);
  const found = readBytes("xml", bytes);
  assertEquals(found.map(({ keypath, text, line }) => [keypath, text.trim(), line]), [
    ["", 'xml version="1.0" encoding="UTF-8"', 1],
    ["", "DOCTYPE application", 2],
    ["application.component@name", "ChatSessionStateTemp", 4],
    ["application.component", "a comment", 5],
    ["application.component.option@name", "content", 6],
    ["application.component.option@value", 'line one\n"quoted" & A&unknown;', 6],
    ["application.component.text", "between <tags>", 7],
    ["application.component", "raw & <unparsed>", 8],
    ["application.component.bare@attribute", "unquoted-value", 9],
    ["application.component.bare@other", "single", 9],
  ]);
  for (const { text, start, end, form } of found) {
    const raw = decode(bytes.slice(start, end));
    assertEquals(form === "xml" ? unescapeXml(raw) : raw, text);
  }
  for (let seed = 0; seed < 20; seed++) assertEquals(readChunks("xml", bytes, seeded(seed), 7), found);
});

Deno.test("XML that is not well-formed loses no text", () => {
  for (
    const broken of [
      "1 < 2 and SECRET",
      '<a b="SECRET',
      "<a>SECRET</b></c>",
      "<!-- SECRET",
      "<a b=SECRET",
      "<![CDATA[SECRET",
      "<a b='x'SECRET='y'>",
      "SECRET",
      "<",
      "<a><a><a>SECRET",
    ]
  ) {
    const found = readBytes("xml", utf8(broken));
    const seen = found.map(({ text, keypath }) => text + keypath).join();
    assert(seen.includes("SECRET") || !broken.includes("SECRET"), broken);
    for (let seed = 0; seed < 5; seed++) assertEquals(readChunks("xml", utf8(broken), seeded(seed), 3), found);
  }
});

Deno.test("long text and long values of XML come in parts that cover all of it", () => {
  const long = "x&amp;".repeat(PART_BYTES / 2);
  const bytes = utf8(`<a b="${long}">${long}</a>`);
  const found = readBytes("xml", bytes);
  assertEquals(readChunks("xml", bytes, seeded(2), 600_000), found);
  for (const keypath of ["a@b", "a"]) {
    let reached = -1;
    let whole = "";
    for (const { start, end } of found.filter((string) => string.keypath === keypath)) {
      whole += decode(bytes.slice(Math.max(start, reached), end));
      reached = end;
    }
    assertEquals(whole, long);
  }
});

function locate(format: StreamFormat, bytes: Uint8Array, offsets: number[], chunk: number) {
  const locator = createLocator(format, offsets);
  for (let at = 0; at < bytes.length; at += chunk) locator.push(bytes.subarray(at, at + chunk));
  return locator.end();
}

Deno.test("each byte of each string of random JSON lines is located as the reader places it", () => {
  for (let seed = 1; seed <= 15; seed++) {
    const random = seeded(seed);
    const text = Array.from({ length: 5 }, () => randomJson(random).text).join("\n") + "\ntorn {\nlines";
    for (
      const [format, bytes] of [["jsonl", utf8(text)], ["jsonl", utf16("\ufeff" + text, true)], [
        "json",
        utf8(text),
      ]] as const
    ) {
      const strings = readBytes(format, bytes);
      const offsets = Array.from(bytes.keys()).reverse();
      const places = locate(format, bytes, offsets, 10 + seed);
      for (const [index, offset] of offsets.entries()) {
        const place = places[index];
        const string = strings.find(({ start, end, form }) => form === "json" && start <= offset && offset < end);
        if (string === undefined) continue;
        assertEquals([place?.start, place?.end, place?.keypath, place?.line, place?.key], [
          string.start,
          string.end,
          string.keypath,
          string.line,
          string.key,
        ]);
      }
    }
  }
});

Deno.test("line and column of any offset are those of its line, and text is located by its line", () => {
  const bytes = utf8('\ufeff{"a":"x"}\r\nnot json\nmore\n');
  const at = (text: string) => decode(bytes).indexOf(text) + 2;
  const [inString, brace, first, second] = locate("jsonl", bytes, [at("x"), at("}"), at("json"), at("ore")], 4);
  assertEquals(inString, { line: 1, column: 7, keypath: "a", start: 8, end: 11, form: "json", key: false });
  assertEquals([brace?.form, brace?.start, brace?.end], ["text", 3, 13]);
  assertEquals(first, { line: 2, column: 5, keypath: "", start: 14, end: 22, form: "text", key: false });
  assertEquals(second, { line: 3, column: 2, keypath: "", start: 23, end: 27, form: "text", key: false });
});

Deno.test("the example of the locator says what it does", () => {
  const [place] = locate("jsonl", utf8('{"role":"user"}\n{"role":"assistant"}\n'), [25], 1000);
  assertEquals([place?.line, place?.column, place?.keypath, place?.start, place?.end], [2, 10, "role", 24, 35]);
});

Deno.test("an offset in a string too long to hold is located by a part that holds it", () => {
  const bytes = utf8(`\n{"k":"${"y".repeat(4 * PART_BYTES)}"}`);
  const offset = 3 * PART_BYTES;
  const [place] = locate("jsonl", bytes, [offset], 100_000);
  assert(place !== undefined && place.start <= offset && offset < place.end && place.end - place.start <= PART_BYTES);
  assertEquals([place.line, place.keypath, place.form], [2, "k", "json"]);
});

Deno.test("an offset of one line is located without the file", () => {
  const line = utf8('{"message":{"content":[{"text":"a\\nb"}]},"n":1}');
  assertEquals(locateInLine(line, 33), {
    line: 1,
    column: 34,
    keypath: "message.content[0].text",
    start: 31,
    end: 37,
    form: "json",
    key: false,
  });
  assertEquals(locateInLine(line, 15).keypath, "message{key}");
  assertEquals(locateInLine(utf8("not json"), 4), {
    line: 1,
    column: 5,
    keypath: "",
    start: 0,
    end: 8,
    form: "text",
    key: false,
  });
});
