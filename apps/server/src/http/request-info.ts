import type { FastifyRequest } from 'fastify';
import { networkOf, withoutPort } from './client-network.ts';
import { readCookies } from './cookies.ts';
import type { RequestInfo } from './request.ts';

/** A {@link RequestInfo} that works out only what it is asked for: most requests need one header. */
export class LazyRequestInfo implements RequestInfo {
  readonly #request: FastifyRequest;
  #cookies: RequestInfo['cookies'] | undefined;

  constructor(request: FastifyRequest) {
    this.#request = request;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get path(): string {
    return this.#request.url.split('?', 1)[0] as string;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  get clientAddress(): string {
    // A connection that has ended has no address.
    return networkOf(withoutPort(this.#request.ip ?? ''));
  }

  get remoteAddress(): string {
    // Sockets that take both kinds write IPv4 addresses as IPv6 ones.
    return withoutPort(this.#request.ip ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  }

  get cookies(): RequestInfo['cookies'] {
    this.#cookies ??= readCookies(this.#request.headers.cookie);
    return this.#cookies;
  }
}
