import type { ServerResponse } from 'node:http';
import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf, withoutPort } from './client-network.ts';
import type { RequestInfo } from './request.ts';
import { pathOf } from './url-path.ts';

/**
 * A {@link RequestInfo} with lazy fields: most requests need only one header. Cookies are parsed when a handler asks
 * for one; `@fastify/cookie` is the same package with two hooks for every request (44.1 instead of 42.2 µs each).
 */
export class LazyRequestInfo implements RequestInfo {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #gone: AbortSignal | undefined;
  #cookies: RequestInfo['cookies'] | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get path(): string {
    return pathOf(this.#request.url);
  }

  get search(): string {
    const { url } = this.#request;
    const start = url.indexOf('?');
    return start === -1 ? '' : url.slice(start);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  headersAfter(prefix: string): Readonly<Record<string, string>> {
    const names = Object.keys(this.#request.headers).filter((name) => name.startsWith(prefix));
    return Object.fromEntries(names.map((name) => [name.slice(prefix.length), this.header(name) ?? '']));
  }

  get clientAddress(): string {
    // A closed connection has no address.
    return networkOf(withoutPort(this.#request.ip ?? ''));
  }

  get remoteAddress(): string {
    // Dual-stack sockets report IPv4 addresses as IPv4-mapped IPv6 addresses.
    return withoutPort(this.#request.ip ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  }

  get cookies(): RequestInfo['cookies'] {
    this.#cookies ??= parseCookie(this.#request.headers.cookie ?? '');
    return this.#cookies;
  }

  get gone(): AbortSignal {
    this.#gone ??= abortedOnClose(this.#reply.raw);
    return this.#gone;
  }

  get stopping(): AbortSignal {
    return this.#request.server.eventStreams.closing;
  }
}

function abortedOnClose(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const closed = () => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.closed) closed();
  else response.once('close', closed);
  return gone.signal;
}
