import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { type Claim, createTickets, Refusal } from "../../src/guard/mod.ts";

const CLAIM: Claim = { path: "/code/app/node_modules", identity: { device: 1, inode: 2, born: 3 } };

function assertUnknown(run: () => unknown, what: string): void {
  assertEquals(assertThrows(run, Refusal, "no such id", what).code, "unknown-id", what);
}

Deno.test("a ticket is f- and 12 hexadecimal digits, and stands for its claim", () => {
  const tickets = createTickets();
  const id = tickets.issue(CLAIM);
  assertMatch(id, /^f-[0-9a-f]{12}$/);
  assertEquals(tickets.look(id), CLAIM);
});

Deno.test("the same directory keeps its ticket, under what was last seen of it", () => {
  const tickets = createTickets<Claim & { size: number }>();
  const id = tickets.issue({ ...CLAIM, size: 1 });
  assertEquals(tickets.issue({ ...CLAIM, size: 2 }), id);
  assertEquals(tickets.look(id).size, 2);
});

Deno.test("another directory at the same path gets another ticket and ends the old one", () => {
  const tickets = createTickets();
  const before = tickets.issue(CLAIM);
  const after = tickets.issue({ ...CLAIM, identity: { ...CLAIM.identity, inode: 9 } });
  assertNotEquals(after, before);
  assertUnknown(() => tickets.look(before), before);
  assertEquals(tickets.look(after).identity.inode, 9);
});

Deno.test("a redeemed ticket is gone, and forgetting it twice is harmless", () => {
  const tickets = createTickets();
  const id = tickets.issue(CLAIM);
  tickets.forget(id);
  tickets.forget(id);
  assertUnknown(() => tickets.look(id), id);
  assertNotEquals(tickets.issue(CLAIM), id);
});

Deno.test("names of a prototype, paths and near misses are no tickets", () => {
  const tickets = createTickets();
  const id = tickets.issue(CLAIM);
  const near = [id.toUpperCase(), `${id} `, ` ${id}`, id.slice(0, -1), `${id}0`, id.slice(2), `${id}\0`, `${id}\n`];
  for (const wrong of [...near, "", "__proto__", "constructor", "toString", CLAIM.path, "f-"]) {
    assertUnknown(() => tickets.look(wrong), JSON.stringify(wrong));
  }
});

Deno.test("tickets are of one process: another store knows none of them", () => {
  assertUnknown(() => createTickets().look(createTickets().issue(CLAIM)), "foreign");
});

Deno.test("tickets neither count up nor repeat", () => {
  const tickets = createTickets();
  const ids = Array.from({ length: 5000 }, (_, n) => tickets.issue({ ...CLAIM, path: `/code/${n}` }));
  assertEquals(new Set(ids).size, ids.length);
  const numbers = ids.map((id) => parseInt(id.slice(2), 16));
  const rising = numbers.filter((number, at) => at > 0 && number > numbers[at - 1]!).length;
  assert(rising > 2000 && rising < 3000, `${rising} of 5000 rise`);
  // Every bit of the 48 is drawn: none is the same in all.
  for (let bit = 0; bit < 48; bit++) {
    const ones = numbers.filter((number) => Math.floor(number / 2 ** bit) % 2 === 1).length;
    assert(ones > 2000 && ones < 3000, `bit ${bit} is set in ${ones} of 5000`);
  }
});
