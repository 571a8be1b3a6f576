import type { IncomingMessage } from 'node:http';
import type { AddressPolicy, Resolve } from './addresses.ts';
import { type OutboundRequest, requestAt } from './send.ts';

/** The kinds of failures: no answer in time, no connection, an address that is not allowed, and too many bytes. */
export const fetchFailures = ['timeout', 'unreachable', 'private-address', 'too-large'] as const;

/** An answer with its whole body, or why there is none, in a sentence without secrets. */
export type Fetched = { readonly status: number; readonly text: string } | FetchFailure;

export interface FetchFailure {
  readonly failure: string;
  readonly kind: (typeof fetchFailures)[number];
}

/** Makes an HTTP request and reads the whole answer. Follows no redirect. Never rejects. */
export type FetchWhole = (request: OutboundRequest, stop?: AbortSignal) => Promise<Fetched>;

export interface FetchOptions {
  /** The receiver, as sentences name it: "The Prometheus server". */
  readonly receiver: string;
  /** The time for the whole answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Creates a function that reads answers within a time and a size. */
export function createFetchWhole(policy: AddressPolicy, resolve: Resolve, options: FetchOptions): FetchWhole {
  const { receiver, timeoutMs, maxBytes } = options;
  return async (request, stop) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = stop === undefined ? timeout : AbortSignal.any([timeout, stop]);
    try {
      const response = await requestAt(request, policy, resolve, signal);
      if (response === 'private')
        return { failure: `${receiver} has a private address, which is not allowed.`, kind: 'private-address' };
      const text = await readWhole(response, maxBytes);
      if (text === undefined)
        return { failure: `The answer of ${lowerFirst(receiver)} has more than ${maxBytes} bytes.`, kind: 'too-large' };
      return { status: response.statusCode ?? 0, text };
    } catch (error) {
      if (timeout.aborted) return { failure: `${receiver} did not answer in ${timeoutMs / 1000} s.`, kind: 'timeout' };
      return { failure: `${receiver} cannot be reached${codeOf(error)}.`, kind: 'unreachable' };
    }
  };
}

/** Returns the body as text; undefined when it has more than `maxBytes`. */
async function readWhole(response: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) {
      response.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the code of an error: its message may contain the host of a URL, which may be secret. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? `: ${error.code}` : '';
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
