/**
 * Offline stand-in for `jsr:@std/assert`: the functions in use, under their std names and signatures.
 *
 * @module
 */
import { AssertionError as NodeAssertionError, deepStrictEqual, notDeepStrictEqual } from "node:assert";
import { inspect, isDeepStrictEqual } from "node:util";

/** Error thrown when an assertion fails. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

// deno-lint-ignore no-explicit-any
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;

function fail_(what: string, msg?: string): never {
  throw new AssertionError(msg ? `${what}: ${msg}` : what);
}

function rethrow(run: () => void, msg?: string): void {
  try {
    run();
  } catch (error) {
    if (error instanceof NodeAssertionError) fail_(error.message, msg);
    throw error;
  }
}

/** Asserts that `expr` is truthy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) fail_("Assertion failed", msg);
}

/** Asserts deep equality. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  rethrow(() => deepStrictEqual(actual, expected), msg);
}

/** Asserts deep inequality. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  rethrow(() => notDeepStrictEqual(actual, expected), msg);
}

/** Asserts identity. */
export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T {
  if (!Object.is(actual, expected)) fail_(`${inspect(actual)} is not ${inspect(expected)}`, msg);
}

/** Asserts that `actual` is neither null nor undefined. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) fail_(`Expected a value, got ${actual}`, msg);
}

/** Asserts that the text contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  if (!actual.includes(expected)) fail_(`${inspect(actual)} does not contain ${inspect(expected)}`, msg);
}

/** Asserts that the text matches. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  if (!expected.test(actual)) fail_(`${inspect(actual)} does not match ${expected}`, msg);
}

/** Asserts that the text does not match. */
export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void {
  if (expected.test(actual)) fail_(`${inspect(actual)} matches ${expected}`, msg);
}

/** Asserts that each expected item is in the array. */
export function assertArrayIncludes<T>(actual: ArrayLike<T>, expected: ArrayLike<T>, msg?: string): void {
  const items = Array.from(actual);
  const missing = Array.from(expected).filter((want) => !items.some((item) => isDeepStrictEqual(item, want)));
  if (missing.length > 0) fail_(`${inspect(items)} lacks ${inspect(missing)}`, msg);
}

/** Asserts that `actual` is greater than `expected`. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual > expected)) fail_(`${inspect(actual)} is not greater than ${inspect(expected)}`, msg);
}

/** Asserts that `actual` is at least `expected`. */
export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual >= expected)) fail_(`${inspect(actual)} is less than ${inspect(expected)}`, msg);
}

/** Asserts that `actual` is less than `expected`. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual < expected)) fail_(`${inspect(actual)} is not less than ${inspect(expected)}`, msg);
}

/** Asserts that `actual` is at most `expected`. */
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual <= expected)) fail_(`${inspect(actual)} is greater than ${inspect(expected)}`, msg);
}

function checkError<E extends Error>(
  error: unknown,
  ErrorClass?: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): asserts error is E {
  if (!(error instanceof Error)) fail_("A value that is no Error was thrown", msg);
  if (ErrorClass && !(error instanceof ErrorClass)) fail_(`Thrown was ${inspect(error)}`, msg);
  if (msgIncludes && !error.message.includes(msgIncludes)) {
    fail_(`The error ${inspect(error.message)} does not contain ${inspect(msgIncludes)}`, msg);
  }
}

/** Asserts that `fn` throws. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E {
  try {
    fn();
  } catch (error) {
    checkError(error, ErrorClass, msgIncludes, msg);
    return error;
  }
  fail_("Nothing was thrown", msg);
}

/** Asserts that the promise of `fn` rejects. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E> {
  try {
    await fn();
  } catch (error) {
    checkError(error, ErrorClass, msgIncludes, msg);
    return error;
  }
  fail_("The promise did not reject", msg);
}
