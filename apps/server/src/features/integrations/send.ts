import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { addressOf, type Reach, type Resolve } from './addresses.ts';

/** A request that tells of an event. */
export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of sending: the status that was answered, or why there is none. Neither names the address. */
export type Sent = { readonly status: number } | { readonly failure: string };

export type Send = (message: Message) => Promise<Sent>;

const timeoutMs = 10_000;

/** Sends messages by POST. Redirects are not followed, and nothing of an answer but its status is read. */
export function sender(reach: Reach, resolve: Resolve): Send {
  return async ({ url, headers, body }) => {
    const target = new URL(url);
    try {
      const address = await addressOf(target, reach, resolve);
      if (address === 'private') return { failure: 'The address is a private one.' };
      const options: RequestOptions = {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        // The name was looked up above, and what it meant then is what is called.
        lookup: (_host, { all }, callback) =>
          all === true ? callback(null, [address]) : callback(null, address.address, address.family),
        signal: AbortSignal.timeout(timeoutMs),
      };
      return { status: await statusOf(target, options, body) };
    } catch (error) {
      return { failure: reasonOf(error) };
    }
  };
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
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'No answer came in time.';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return code === 'ENOTFOUND' ? 'The host has no address.' : `The request failed: ${code}.`;
}
