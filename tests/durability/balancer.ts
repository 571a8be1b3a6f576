import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { call } from './http-call.ts';

const lookEveryMs = 100;

/**
 * Passes connections to ready processes in turn, like a TCP load balancer that checks `/ready`. It can pass a refused
 * connection to another process, but cannot repeat a request.
 */
export class Balancer {
  readonly #server: Server;
  readonly #origins: string[];
  readonly #sockets = new Set<Socket>();
  readonly #looking: NodeJS.Timeout;
  #ready: string[];
  #turn = 0;

  private constructor(origins: readonly string[]) {
    this.#origins = [...origins];
    this.#ready = [...origins];
    this.#server = createServer({ allowHalfOpen: false }, (client) => this.#pass(client, this.#next()));
    this.#looking = setInterval(() => void this.#look(), lookEveryMs);
  }

  static async start(origins: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(origins);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Passes connections to `origin` from the time it is ready. */
  add(origin: string): void {
    this.#origins.push(origin);
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #look(): Promise<void> {
    const looked = await Promise.all(
      this.#origins.map(async (origin) => ({ origin, ...(await call(origin, { method: 'GET', path: '/ready' })) })),
    );
    const ready = looked.filter(({ status }) => status === 200).map(({ origin }) => origin);
    if (ready.length > 0) this.#ready = ready;
  }

  #next(): string[] {
    const first = this.#turn++ % this.#ready.length;
    return [...this.#ready.slice(first), ...this.#ready.slice(0, first)];
  }

  #pass(client: Socket, [origin, ...others]: readonly string[]): void {
    if (origin === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(origin);
    const upstream = connect(Number(port), hostname);
    this.#follow(client);
    this.#follow(upstream);
    upstream.once('connect', () => {
      client.pipe(upstream);
      upstream.pipe(client);
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.destroySoon());
    });
    upstream.once('error', () => {
      if (upstream.bytesWritten === 0 && upstream.bytesRead === 0 && upstream.connecting) this.#pass(client, others);
      else client.resetAndDestroy();
    });
  }

  #follow(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // An error of one socket also closes the other one, which the client notices and counts.
    socket.on('error', () => undefined);
  }
}
