import { assert, assertEquals } from "@std/assert";
import type { StreamFormat } from "../../src/history/formats/reader.ts";
import type { Place } from "../../src/redact/copies.ts";
import { fit } from "../../src/redact/fit.ts";

/** How many single bytes of `text` and beginnings of places `fit` reads, all copies of `number` being places. */
function readsOf(text: string, format: StreamFormat, number: string): number {
  const bytes = new TextEncoder().encode(text);
  const places: Place[] = [];
  let reads = 0;
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
    const start = at;
    places.push({
      get start() {
        reads++;
        return start;
      },
      end: start + number.length,
      rule: "x",
      secret: number,
    });
  }
  const counted = new Proxy(bytes, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member === "function") return member.bind(target);
      reads++;
      return member;
    },
  });
  assertEquals(fit(counted, format, places).length, places.length);
  return reads;
}

const NUMBER = "482139" + "07561";

for (
  const [name, format, make] of [
    ["numbers in one record", "jsonl", (count) => `{"n":[${Array(count).fill(NUMBER).join(", ")}]}\n`],
    ["strings in one document", "json", (count) => JSON.stringify(Array(count).fill(`a ${NUMBER}`))],
    ["elements of XML", "xml", (count) => `<a>${`<b c="${NUMBER}">${NUMBER}</b>`.repeat(count)}</a>`],
  ] as readonly [string, StreamFormat, (count: number) => string][]
) {
  Deno.test(`fitting markers to ${name} reads bytes in proportion to them`, () => {
    const [some, more] = [200, 800].map((count) => readsOf(make(count), format, NUMBER));
    assert(some !== undefined && more !== undefined && more < some * 8, `${some} reads, then ${more}`);
  });
}
