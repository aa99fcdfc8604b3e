import { assert, assertEquals, assertThrows } from "@std/assert";
import { createScanner, type Finding, mask, scanBytes, scanText } from "../../src/secrets/mod.ts";
import { ALNUM, sample, UPPER_ALNUM } from "../../src/secrets/sample.ts";
import { joined, secretOf, utf16 } from "./_samples.ts";

const GITHUB = secretOf("github-pat");
const NPM = secretOf("npm-token");

/** What a finding says covers the secret, byte for byte. */
function covered(bytes: Uint8Array, finding: Finding): string {
  return new TextDecoder().decode(bytes.slice(finding.start, finding.end));
}

Deno.test("a finding says where the secret is and shows no more of it than its mask", () => {
  const [finding, ...others] = scanText(`first line\n  token: ${GITHUB}\n`);
  assertEquals(others, []);
  assertEquals(finding, {
    rule: "github-pat",
    display: finding?.display ?? "",
    masked: mask(GITHUB),
    line: 2,
    column: 10,
    start: 20,
    end: 20 + GITHUB.length,
  });
  assertEquals(Object.keys(finding ?? {}).sort(), ["column", "display", "end", "line", "masked", "rule", "start"]);
});

Deno.test("text counts in UTF-16 code units, bytes in bytes; lone surrogates do no harm", () => {
  const text = `zwei\n\ud800 größer 𝄞 ${GITHUB} é ${NPM}`;
  const found = scanText(text);
  assertEquals(found.map(({ start, end }) => text.slice(start, end)), [GITHUB, NPM]);
  assertEquals(found[0]?.column, (found[0]?.start ?? 0) - 4);
  const bytes = new TextEncoder().encode(text);
  assertEquals(scanBytes(bytes).map((finding) => covered(bytes, finding)), [GITHUB, NPM]);
});

Deno.test("a secret is found under JSON's escapes, once and twice, with the bytes that hold it", () => {
  const line = `export TOKEN="${GITHUB}"\nnext\t${NPM}\n`;
  for (const text of [line, JSON.stringify({ line }), JSON.stringify({ inner: JSON.stringify({ line }) })]) {
    assertEquals(scanText(text).map(({ start, end }) => text.slice(start, end)), [GITHUB, NPM]);
  }
});

Deno.test("slashes that JSON escaped do not hide a URL with a secret, once and twice", () => {
  const urls = [
    `postgres://app:${sample(ALNUM, 18, 3)}@db.corp.internal:5432/main`,
    `https://ci:${sample(ALNUM, 20, 4)}@git.corp.internal/x`,
    `https://hooks.${"slack"}.com/services/T${sample(UPPER_ALNUM, 9, 5)}/B${sample(UPPER_ALNUM, 9, 6)}/${
      sample(ALNUM, 24, 7)
    }`,
  ];
  for (const url of urls) {
    const plain = scanText(url).map(({ rule }) => rule);
    assertEquals(plain.length, 1, url.slice(0, 12));
    const escaped = JSON.stringify({ a: url }).replaceAll("/", "\\/");
    for (const text of [escaped, JSON.stringify({ b: escaped }), JSON.stringify(escaped).replaceAll("/", "\\/")]) {
      assertEquals(scanText(text).map(({ rule }) => rule), plain, text.slice(0, 20));
    }
  }
});

Deno.test("an escape in front of a secret does not hide it", () => {
  const text = `"a\\n${GITHUB}\\t${NPM}\\u0022"`;
  assertEquals(scanText(text).map(({ rule }) => rule), ["github-pat", "npm-token"]);
});

Deno.test("a secret is found in a URL's encoding", () => {
  const text = `https://example.org/?q=token%3D${GITHUB}%26x`;
  assertEquals(scanText(text).map(({ rule }) => rule), ["github-pat"]);
});

Deno.test("a token in the base64 of a Basic header is found, its place the whole base64 text", () => {
  const encoded = btoa(`x-access-token:${GITHUB}`);
  const text = `AUTHORIZATION: basic ${encoded}\n`;
  const [finding] = scanText(text);
  assertEquals(finding?.rule, "github-pat");
  assertEquals(
    text.slice(finding?.start, finding?.end),
    encoded.replace(/=+$/, "") + (encoded.match(/=+$/)?.[0] ?? ""),
  );
  assertEquals(finding?.masked, mask(GITHUB));
});

Deno.test("UTF-16 is read in both byte orders, with a mark and without, at odd and even offsets", () => {
  for (const littleEndian of [true, false]) {
    for (const before of ["", "\ufeff"]) {
      for (const bytes of ["", "x", "xy"]) {
        const input = joined(bytes, utf16(`${before}token ${GITHUB} näher ${NPM}`, littleEndian));
        const found = scanBytes(input);
        assertEquals(
          found.map(({ rule }) => rule),
          ["github-pat", "npm-token"],
          `${littleEndian} ${before.length} ${bytes}`,
        );
        const [first] = found;
        assertEquals(new TextDecoder().decode(input.slice(first?.start, first?.end)).replaceAll("\0", ""), GITHUB);
      }
    }
  }
});

Deno.test("invalid UTF-8 around a secret does not hide it", () => {
  const input = joined(Uint8Array.of(0xff, 0xc3, 0x80, 0xed, 0xa0, 0x80), ` ${GITHUB} `, Uint8Array.of(0xf0, 0x9f));
  const [finding] = scanBytes(input);
  assertEquals(finding && covered(input, finding), GITHUB);
});

Deno.test("one finding for one secret at one place, the specific rule's", () => {
  for (
    const text of [
      `Authorization: Bearer ${GITHUB}`,
      `curl -u user:${GITHUB} https://api.github.com`,
      `https://u:${GITHUB}@github.com/a`,
      `github_token = "${GITHUB}"`,
    ]
  ) {
    assertEquals(scanText(text, { includeLowConfidence: true }).map(({ rule }) => rule), ["github-pat"], text);
  }
});

Deno.test("rules can be chosen; one that does not exist is an error that names it", () => {
  const text = `${GITHUB} ${NPM}`;
  assertEquals(scanText(text, { rules: ["npm-token"] }).map(({ rule }) => rule), ["npm-token"]);
  assertEquals(scanText(text, { rules: [] }), []);
  assertThrows(() => scanText(text, { rules: ["npm-token", "no-such"] }), RangeError, "no-such");
});

Deno.test("what is masked or redacted is never found again", () => {
  for (const secret of [GITHUB, NPM]) {
    assertEquals(scanText(mask(secret), { includeLowConfidence: true }), []);
    for (const around of ["password=", "api_key: ", "Authorization: Bearer ", "https://user:"]) {
      for (const stand of [`[REDACTED:github-pat]`, mask(secret)]) {
        assertEquals(
          scanText(`${around}${stand}@host.example.org/`, { includeLowConfidence: true }),
          [],
          around + stand,
        );
      }
    }
  }
});

Deno.test("placeholders are not secrets", () => {
  const shape = (fill: string) => "ghp_" + fill.repeat(36).slice(0, 36);
  for (const fill of ["x", "X", "a", "0", "1234567890", "abcdefghijklmnopqrstuvwxyz", "EXAMPLE", "yourtoken", "ab"]) {
    assertEquals(scanText(`token ${shape(fill)} `), [], fill);
  }
});

Deno.test("a stream reports a finding once nothing can change it, and the rest at the end", () => {
  const found: string[] = [];
  const scanner = createScanner({ onFinding: ({ rule }) => found.push(rule) });
  const chunk = joined(`${GITHUB} `, new Uint8Array(3 << 20).fill(0x20));
  scanner.push(chunk);
  assertEquals(found, ["github-pat"]);
  scanner.push(joined(NPM));
  assertEquals(found.length, 1);
  scanner.finish();
  assert(found.includes("npm-token") && found.length === 2);
});
