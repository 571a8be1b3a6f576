import { Problem } from '../../kernel/errors.ts';

/** Stands for the token of a signal that a person sent as a test: no row has it. */
export const testTokenId = 0;

/** The token of a sender; null for a test, which has none. */
export function sendersToken(tokenId: number): number | null {
  return tokenId === testTokenId ? null : tokenId;
}

/** A stored signal. `payload` is the JSON text that was sent. */
export interface Signal {
  readonly id: number;
  readonly endpointId: number;
  /** {@link testTokenId} for a test. */
  readonly tokenId: number;
  readonly createdAt: number;
  readonly payload: string;
}

/** A signal on its way in. */
export interface Incoming {
  readonly endpointId: number;
  readonly tokenId: number;
  readonly payload: string;
  /** What the sender calls this delivery, so that sending it again stores nothing. */
  readonly deliveryKey: string | undefined;
}

/** What became of it: stored now, or known from an earlier delivery. */
export interface Accepted {
  readonly signal: Signal;
  readonly duplicate: boolean;
}

const maxNesting = 64;

/**
 * The payload to store for a body (decisions.md 2.2): the text as it was sent, `{}` for none. A 400 when it is
 * not JSON or is nested deeper than 64 levels.
 */
export function payloadOf(body: string | null): string {
  if (body === null || body.trim() === '') return '{}';
  try {
    JSON.parse(body);
  } catch (error) {
    throw new Problem('BadDataError', 'The body is not valid JSON.', { cause: error });
  }
  if (nestingOf(body) > maxNesting) {
    throw new Problem('BadDataError', `The body is nested deeper than ${maxNesting} levels.`);
  }
  return body;
}

/** How deep arrays and objects of a valid JSON text stand inside each other. */
function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
  }
  return deepest;
}
