import { assertEquals } from "@std/assert";
import { formatBytes, MEBIBYTE, plural } from "../../src/text/units.ts";

Deno.test("sizes are in binary units with one decimal above bytes", () => {
  assertEquals([0, 1, 1023].map(formatBytes), ["0 B", "1 B", "1023 B"]);
  assertEquals([1024, 1536, MEBIBYTE, 12.3 * 1024 * MEBIBYTE].map(formatBytes), [
    "1.0 KiB",
    "1.5 KiB",
    "1.0 MiB",
    "12.3 GiB",
  ]);
});

Deno.test("a size that rounds up to the next unit is said in it", () => {
  assertEquals(formatBytes(MEBIBYTE - 1), "1.0 MiB");
  assertEquals(formatBytes(1024 * MEBIBYTE - 1), "1.0 GiB");
});

Deno.test("a size beyond the largest unit stays in it", () => {
  assertEquals(formatBytes(5000 * 1024 ** 5), "5000.0 PiB");
});

Deno.test("a noun stands in the number of its count", () => {
  assertEquals([0, 1, 2].map((count) => plural(count, "file")), ["0 files", "1 file", "2 files"]);
  assertEquals(plural(2, "directory", "directories"), "2 directories");
});
