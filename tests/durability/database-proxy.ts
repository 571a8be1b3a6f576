import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The address of a database that a failover keeps: forwards connections to one server, and later to another. */
export class DatabaseProxy {
  readonly #server = createServer((client) => this.#forward(client));
  readonly #sockets = new Set<Socket>();
  #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  /** Returns a proxy to the server at `url`. */
  static async start(url: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(Number(new URL(url).port));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Returns the URL of the database through the proxy. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.port = String((this.#server.address() as AddressInfo).port);
    return through.href;
  }

  /** Ends all connections and forwards new ones to the server at `url`. */
  switchTo(url: string): void {
    this.#port = Number(new URL(url).port);
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(client: Socket): void {
    const server = connect(this.#port, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      // The other side sees that its connection ends.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
