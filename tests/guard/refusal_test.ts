import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { errorCode, Refusal, refusalFrom } from "../../src/guard/mod.ts";

Deno.test("a refusal stays the refusal that it is", () => {
  const refusal = new Refusal("mount", "it is a mount point");
  assert(refusalFrom("/x", refusal, "--allow-read") === refusal);
});

Deno.test("what the sandbox denies names the flag and the path that would allow it", () => {
  const { code, message } = refusalFrom("/code", new Deno.errors.NotCapable("secret"), "--allow-write");
  assertEquals(code, "unreadable");
  assertStringIncludes(message, "--allow-write=/code");
});

Deno.test("a missing path and a denied one are told apart", () => {
  assertEquals(refusalFrom("/x", new Deno.errors.NotFound(), "--allow-read").message, "/x does not exist");
  const denied = refusalFrom("/x", new Deno.errors.PermissionDenied(), "--allow-read");
  assertEquals(denied.message, "the operating system denies access to /x");
});

Deno.test("no message of an error gets through, only its code", () => {
  const error = Object.assign(new Error("content of a file"), { code: "EIO" });
  assertEquals(refusalFrom("/x", error, "--allow-read").message, "/x cannot be read (EIO)");
  assertEquals(errorCode(new TypeError("content of a file")), "TypeError");
  assertEquals(errorCode("content of a file"), "unknown error");
});
