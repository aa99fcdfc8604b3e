/**
 * The human's own yes, asked through the client.
 *
 * @module
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What became of the question. */
export type Answer =
  | { readonly kind: "yes" }
  | { readonly kind: "no"; readonly reason: string }
  | { readonly kind: "pending"; readonly request: InputRequiredResult };

/** Asks the human before something is destroyed. */
export interface HumanConfirmation {
  /**
   * Asks, or reads the answer when this call is the client's second round.
   *
   * An answer counts once, and only for the very subject that was asked: the state that goes through the client is a
   * random number that this process keeps with the subject.
   *
   * @param subject What the yes is for, as text that differs whenever the deed differs.
   * @param question The text shown to the human.
   */
  ask(context: ServerContext, subject: string, question: () => string): Answer;
}

const KEY = "confirm";
/** Questions kept open at most; the oldest is forgotten first, and its answer refused. */
const MAX_OPEN = 1000;

/**
 * A confirmation that uses the client's elicitation where it has one.
 *
 * @param isRequired Whether a client that cannot ask is refused.
 */
export function createConfirmation(server: McpServer, isRequired: boolean): HumanConfirmation {
  const open = new Map<string, string>();
  let couldAsk = false;
  return {
    ask(context, subject, question) {
      // A client that could ask once is asked: no later request of it talks its human out of the question.
      couldAsk ||= canAsk(server, context);
      if (!couldAsk) {
        if (!isRequired) return { kind: "yes" };
        return {
          kind: "no",
          reason: "the server was started with --require-human, and this client cannot ask its human (no elicitation)",
        };
      }
      const state = context.mcpReq.requestState<string>();
      const response = inputResponse(context.mcpReq.inputResponses, KEY);
      if (state === undefined || response.kind === "missing") return ask(open, subject, question());
      const asked = open.get(state);
      open.delete(state);
      if (asked !== subject) return { kind: "no", reason: "the answer was given to another question; call again" };
      if (response.kind === "elicit" && response.action === "accept") return { kind: "yes" };
      return { kind: "no", reason: "the human was asked and did not agree" };
    },
  };
}

function ask(open: Map<string, string>, subject: string, message: string): Answer {
  const state = crypto.randomUUID();
  open.set(state, subject);
  if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
  const request = inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({ message, requestedSchema: { type: "object", properties: {} } }),
    },
    requestState: state,
  });
  return { kind: "pending", request };
}

/** Whether the client can show its human a form, by what it said at any place where it may say so. */
function canAsk(server: McpServer, context: ServerContext): boolean {
  // The 2026 revision declares capabilities with each request, the earlier ones once, at initialize.
  const envelope: Readonly<Record<string, unknown>> | undefined = context.mcpReq.envelope;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return hasForms(declared) || hasForms(server.server.getClientCapabilities());
}

/** Whether a client has forms: one that names no mode means them. */
function hasForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
