import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Address, type AddressPolicy, type Resolve, resolveAddress } from './addresses.ts';
import { loggableText, readStart } from './answer.ts';

/** An HTTP request to another system. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Texts that the log of the answer must not contain, besides the URL and the values of the headers. */
  readonly secrets?: readonly string[];
  /** Returns the result of an answer, for receivers that report errors with status 200. */
  readonly judge?: (answer: HttpResult) => SendResult;
}

/** A message in another protocol than HTTP, such as SMTP. */
export interface OutboundMessage {
  /** Protocol, host and port of the receiver, such as smtp://mail.example.com:587. Logs show the protocol and host. */
  readonly url: string;
  /** Whether the operator configured the receiver, so that its address may be private. */
  readonly trusted?: true;
  /**
   * Sends the message. A rejection is a failed attempt, of which only the code is logged. The work must end when
   * `signal` aborts; its result is ignored then.
   */
  readonly send: (connection: Connection) => Promise<SendResult>;
}

export type Outbound = OutboundRequest | OutboundMessage;

export interface Connection {
  /** The address to connect to: the name must not be resolved again (prevents DNS rebinding). */
  readonly address: Address;
  readonly signal: AbortSignal;
}

/** The answer to an HTTP request. */
export interface HttpResult {
  readonly status: number;
  /** The start of the body, without secrets. */
  readonly answer: string;
  /** The value of Retry-After, in milliseconds. */
  readonly retryAfterMs?: number;
  /** How the receiver names the message, so that a later request can refer to it. */
  readonly reference?: string;
}

/** The result of an attempt. No text contains the URL, which may be secret. */
export type SendResult =
  | HttpResult
  /** The receiver of another protocol than HTTP accepted the message. The text says so in a sentence. */
  | { readonly delivered: string }
  | {
      readonly failure: string;
      /** The message was not sent, because it is not allowed. */
      readonly refused?: true;
      /** The receiver no longer has the message that the request refers to. */
      readonly referenceLost?: true;
      /** The receiver would refuse a repetition too. */
      readonly final?: true;
      /** The time after which the receiver wants a repetition. */
      readonly retryAfterMs?: number;
    };

/** Sends a message. An attempt that `stop` aborts has failed. */
export type Send = (message: Outbound, stop?: AbortSignal) => Promise<SendResult>;

/** Methods whose requests send no Content-Length when the body is empty. */
const methodsWithoutBody = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Returns a function that sends messages, each within `timeoutMs`. Of HTTP requests it follows no redirects, and
 * reads the status and the start of the answer.
 */
export function createSender(addressPolicy: AddressPolicy, resolve: Resolve, timeoutMs: number): Send {
  return async (message, stop) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = stop === undefined ? timeout : AbortSignal.any([timeout, stop]);
    try {
      if (!('send' in message)) {
        const response = await requestAt(message, addressPolicy, resolve, signal);
        if (response === 'private') return refusedAsPrivate;
        const result = await startOf(response, secretsOf(message));
        return message.judge?.(result) ?? result;
      }
      const policy = 'trusted' in message ? { allowPrivate: true, allowedHosts: [] } : addressPolicy;
      const address = await rejectOnAbort(signal, resolveAddress(new URL(message.url), policy, resolve));
      if (address === 'private') return refusedAsPrivate;
      return await rejectOnAbort(signal, message.send({ address, signal }));
    } catch (error) {
      return { failure: failureReason(error) };
    }
  };
}

/**
 * Makes an HTTP request, without following redirects, and resolves when the answer begins. Returns `private` when the
 * policy forbids the address. Rejects when the request fails or `signal` aborts.
 */
export async function requestAt(
  { method, url, headers, body }: OutboundRequest,
  policy: AddressPolicy,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<IncomingMessage | 'private'> {
  const target = new URL(url);
  const address = await rejectOnAbort(signal, resolveAddress(target, policy, resolve));
  if (address === 'private') return 'private';
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
  return new Promise((respond, reject) => {
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, respond);
    request.on('error', reject);
    request.end(body);
  });
}

const refusedAsPrivate = {
  failure: 'The host has a private address, which is not allowed.',
  refused: true,
} as const;

/** Returns whether the receiver accepted the message. */
export function isDelivered(result: SendResult): boolean {
  return 'delivered' in result || ('status' in result && result.status >= 200 && result.status < 300);
}

/** Describes the result in a sentence. */
export function describeResult(result: SendResult): string {
  if ('delivered' in result) return result.delivered;
  return 'status' in result ? `The receiver answered ${result.status}.` : result.failure;
}

/** Returns method and host of a message; its path may be secret. */
export function describeTarget(message: Outbound): string {
  const { protocol, host } = new URL(message.url);
  const origin = `${protocol}//${host}`;
  return 'method' in message ? `${message.method} ${origin}/…` : origin;
}

/** Rejects when `signal` aborts. A DNS lookup cannot be cancelled, so its result is ignored then. */
function rejectOnAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Reads the status and the start of an answer. */
async function startOf(response: IncomingMessage, secrets: readonly string[]): Promise<HttpResult> {
  const retryAfterMs = retryAfterOf(response.headers['retry-after']);
  const result = { status: response.statusCode ?? 0, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return { ...result, answer: loggableText(await readStart(response), secrets) };
}

/** Returns the delay of a Retry-After header in milliseconds. Ignores a date: the clocks of two machines differ. */
function retryAfterOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

/** Returns the values of a request that may be secret: an echo of them must not reach the log. */
function secretsOf({ url, headers, secrets = [] }: OutboundRequest): string[] {
  const { pathname, search, searchParams } = new URL(url);
  const values = Object.entries(headers).flatMap(([name, value]) =>
    publicHeaders.has(name.toLowerCase()) ? [] : value,
  );
  // The word after "Bearer" or "Basic" is a secret as well.
  const words = values.flatMap((value) => value.split(' '));
  // Receivers echo the query as it was sent, or its decoded values.
  const parts = [...pathname.split('/'), ...search.split(/[?&=]/), ...searchParams.values()];
  return [...secrets, url, pathname + search, ...parts.filter(isTokenLike), ...values, ...words];
}

/** Distinguishes a token in a path or a query, as of the webhooks of Slack and Teams, from a word such as "events". */
function isTokenLike(part: string): boolean {
  return part.length >= 16;
}

const publicHeaders = new Set(['content-type', 'webhook-id', 'webhook-timestamp', 'idempotency-key', 'yardarm-run-id']);

/** Describes an error by its code only, because error messages contain the host of a URL that may be secret. */
function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'The receiver did not answer in time.';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return code === 'ENOTFOUND' ? 'The host has no address.' : `The request failed: ${code}.`;
}
