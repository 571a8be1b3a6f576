import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { addressOf, type Reach, type Resolve } from './addresses.ts';

/** A request to a system outside. */
export interface Message {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of sending: the status that was answered, or why there is none. Neither names the address. */
export type Sent =
  | { readonly status: number }
  /** `refused` when it was not sent because it may not be. */
  | { readonly failure: string; readonly refused?: true };

export type Send = (message: Message) => Promise<Sent>;

const timeoutMs = 10_000;
/** A server need not read a body that these do not have. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE']);

/** Sends messages within ten seconds. Redirects are not followed, and nothing of an answer but its status is read. */
export function sender(reach: Reach, resolve: Resolve): Send {
  return async ({ method, url, headers, body }) => {
    const target = new URL(url);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const address = await before(signal, addressOf(target, reach, resolve));
      if (address === 'private') return { failure: 'The address is a private one.', refused: true };
      const length = body === '' && bodiless.has(method) ? {} : { 'content-length': Buffer.byteLength(body) };
      const options: RequestOptions = {
        method,
        headers: { 'user-agent': 'Yardarm', ...headers, ...length },
        agent: false,
        // The name was looked up above, and what it meant then is what is called.
        lookup: (_host, { all }, callback) =>
          all === true ? callback(null, [address]) : callback(null, address.address, address.family),
        signal,
      };
      return { status: await statusOf(target, options, body) };
    } catch (error) {
      return { failure: whyOf(error) };
    }
  };
}

/** Whether the receiver has taken the message. */
export function isTaken(sent: Sent): boolean {
  return 'status' in sent && sent.status >= 200 && sent.status < 300;
}

/** Whether a message that was not taken may be when it is sent again: not one that the receiver finds wrong. */
export function mayBeTaken(sent: Sent): boolean {
  if (!('status' in sent)) return sent.refused !== true;
  return sent.status >= 500 || [408, 425, 429].includes(sent.status);
}

/** What came of sending, in a sentence. */
export function reasonOf(sent: Sent): string {
  return 'status' in sent ? `The receiver answered ${sent.status}.` : sent.failure;
}

/** Looking a name up cannot be given up, only not be waited for. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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

/** Messages of errors name hosts and addresses, which are part of a secret URL: only codes are told. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'No answer came in time.';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return code === 'ENOTFOUND' ? 'The host has no address.' : `The request failed: ${code}.`;
}
