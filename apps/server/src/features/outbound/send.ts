import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AddressPolicy, type Resolve, resolveAddress } from './addresses.ts';

/** An HTTP request to another system. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The status of the answer, or the reason why there is none. Neither contains the URL, which may be secret. */
export type SendResult =
  | { readonly status: number }
  /** `refused`: the request was not sent, because it is not allowed. */
  | { readonly failure: string; readonly refused?: true };

export type Send = (message: OutboundRequest) => Promise<SendResult>;

const timeoutMs = 10_000;
/** Methods whose requests send no Content-Length when the body is empty. */
const methodsWithoutBody = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Returns a function that sends requests with a timeout of ten seconds, follows no redirects and reads only the
 * status.
 */
export function createSender(addressPolicy: AddressPolicy, resolve: Resolve): Send {
  return async ({ method, url, headers, body }) => {
    const target = new URL(url);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const address = await rejectOnAbort(signal, resolveAddress(target, addressPolicy, resolve));
      if (address === 'private')
        return { failure: 'The host has a private address, which is not allowed.', refused: true };
      const length = body === '' && methodsWithoutBody.has(method) ? {} : { 'content-length': Buffer.byteLength(body) };
      const options: RequestOptions = {
        method,
        headers: { 'user-agent': 'Yardarm', ...headers, ...length },
        agent: false,
        // Connects to the address that was checked above (prevents DNS rebinding).
        lookup: (_host, { all }, callback) =>
          all === true ? callback(null, [address]) : callback(null, address.address, address.family),
        signal,
      };
      return { status: await statusOf(target, options, body) };
    } catch (error) {
      return { failure: failureReason(error) };
    }
  };
}

/** Returns whether the receiver accepted the request. */
export function isDelivered(result: SendResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300;
}

/** Returns whether a failed request may succeed when retried; other 4xx answers are final. */
export function isRetryable(result: SendResult): boolean {
  if (!('status' in result)) return result.refused !== true;
  return result.status >= 500 || [408, 425, 429].includes(result.status);
}

/** Describes the result in a sentence. */
export function describeResult(result: SendResult): string {
  return 'status' in result ? `The receiver answered ${result.status}.` : result.failure;
}

/** Rejects when `signal` aborts. A DNS lookup cannot be cancelled, so its result is ignored then. */
function rejectOnAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function statusOf(url: URL, options: RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Describes an error by its code only, because error messages contain the host of a URL that may be secret. */
function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'The receiver did not answer in time.';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return code === 'ENOTFOUND' ? 'The host has no address.' : `The request failed: ${code}.`;
}
