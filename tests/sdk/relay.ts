import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that passed the relay, and the status of its answer. */
export interface Exchange {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly sent: IncomingHttpHeaders;
  readonly status: number;
}

export interface Refusal {
  readonly status: number;
  /** The path that is refused; all paths without it. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A relay between SDKs and the server, like a load balancer. It records requests, and can refuse them. */
export class Relay {
  readonly exchanges: Exchange[] = [];
  #refusal: Refusal | undefined;
  readonly #target: () => string;
  readonly #server = createServer((from, to) => this.#pass(from, to));

  constructor(target: () => string) {
    this.#target = target;
  }

  /** The URL of the relay for SDKs, which stays the same when the server restarts. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Makes the relay refuse requests, without passing them to the server, until {@link accept} is called. */
  refuse(refusal: Refusal): void {
    this.#refusal = refusal;
  }

  accept(): void {
    this.#refusal = undefined;
  }

  /** Returns the statuses of the requests to a path, in order. */
  statusesOf(method: string, path: string): number[] {
    return this.exchanges
      .filter((exchange) => exchange.method === method && exchange.path === path)
      .map(({ status }) => status);
  }

  forget(): void {
    this.exchanges.length = 0;
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #pass(from: IncomingMessage, to: ServerResponse): void {
    const { method = '', url = '', headers } = from;
    const path = url.split('?')[0] ?? '';
    const note = (status: number) => this.exchanges.push({ method, path, sent: headers, status });
    const answer = (status: number, more: Readonly<Record<string, string>> = {}) => {
      note(status);
      from.resume();
      to.writeHead(status, { 'content-type': 'application/json', ...more }).end('{"message":"refused on the way"}');
    };
    const refusal = this.#refusal;
    if (refusal !== undefined && (refusal.path ?? path) === path) {
      answer(refusal.status, refusal.headers);
      return;
    }
    const onward = request(this.#target() + url, { method, headers }, (back) => {
      const { statusCode: status = 0 } = back;
      note(status);
      to.writeHead(status, back.headers);
      // Sends the headers at once, as the first data of a stream may come much later.
      to.flushHeaders();
      back.on('error', () => to.destroy()).pipe(to);
    });
    // Answers like a load balancer whose server is down or stops.
    onward.on('error', () => (to.headersSent ? to.destroy() : answer(502)));
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  }
}
