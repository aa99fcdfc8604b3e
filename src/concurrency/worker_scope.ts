/**
 * The inside of a Worker, typed. Which globals a module has depends on where it runs, and a package may not say so with
 * a directive.
 *
 * @module
 */

/** Answers every message that the Worker gets. Call it once, at the top of the Worker's module. */
export function answerMessages<Request, Reply>(answer: (request: Request) => Reply | Promise<Reply>): void {
  const scope = globalThis as unknown as {
    onmessage: (event: MessageEvent<Request>) => Promise<void>;
    postMessage: (reply: Reply) => void;
  };
  scope.onmessage = async ({ data }) => scope.postMessage(await answer(data));
}
