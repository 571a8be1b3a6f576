import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer, parsed from the received bytes. */
export interface RawReply {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; a wrong expectation fails it
  readonly json: any;
}

/**
 * A connection on which a test writes bytes itself, also bytes that no HTTP client would send, in pieces and at any
 * time. Reads the answers of a keep-alive connection one after the other.
 */
export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // The `close` event follows, which makes waiting reads fail.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  write(data: string | Uint8Array): void {
    this.#socket.write(data);
  }

  /** Reads the next answer. Rejects when the connection ends before the answer is complete. */
  async reply(): Promise<RawReply> {
    const { status, headers } = await this.head();
    const body = (await this.#body(status, headers)).toString('utf8');
    return {
      status,
      headers,
      body,
      get json() {
        return JSON.parse(body);
      },
    };
  }

  /** Reads only the status and headers of the next answer: the answer has no body, or {@link chunk} reads it. */
  async head(): Promise<Pick<RawReply, 'status' | 'headers'>> {
    const head = (await this.#until(Buffer.from('\r\n\r\n'))).toString('latin1');
    const [statusLine = '', ...lines] = head.trimEnd().split('\r\n');
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    return { status: Number(statusLine.split(' ')[1]), headers };
  }

  /** Reads the next chunk of a chunked answer whose head was read; returns no bytes for the last chunk. */
  async chunk(): Promise<Buffer> {
    const size = Number.parseInt((await this.#until(Buffer.from('\r\n'))).toString('latin1'), 16);
    return (await this.#take(size + 2)).subarray(0, size);
  }

  /** Returns the received bytes that were not read yet. */
  rest(): string {
    return this.#received.toString('latin1');
  }

  /** Resolves when the other end has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#ended) await this.#more();
  }

  end(): void {
    this.#socket.destroy();
  }

  async #body(status: number, headers: ReadonlyMap<string, string>): Promise<Buffer> {
    if (status < 200 || status === 204 || status === 304) return Buffer.alloc(0);
    if (headers.get('transfer-encoding') !== 'chunked') return this.#take(Number(headers.get('content-length') ?? 0));
    const parts: Buffer[] = [];
    for (;;) {
      const part = await this.chunk();
      if (part.length === 0) return Buffer.concat(parts);
      parts.push(part);
    }
  }

  async #until(mark: Buffer): Promise<Buffer> {
    for (;;) {
      const at = this.#received.indexOf(mark);
      if (at >= 0) return this.#take(at + mark.length);
      await this.#moreOrFail();
    }
  }

  async #take(size: number): Promise<Buffer> {
    while (this.#received.length < size) await this.#moreOrFail();
    const taken = this.#received.subarray(0, size);
    this.#received = this.#received.subarray(size);
    return taken;
  }

  async #moreOrFail(): Promise<void> {
    if (this.#ended) throw new Error(`the connection ended after: ${this.#received.toString('latin1').slice(0, 200)}`);
    await this.#more();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Sends bytes on a new connection and returns the answer. */
export async function rawAnswer(url: string, data: string | Uint8Array): Promise<RawReply> {
  const connection = await RawConnection.open(url);
  connection.write(data);
  try {
    return await connection.reply();
  } finally {
    connection.end();
  }
}
