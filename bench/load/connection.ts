import { connect, type Socket } from 'node:net';
import { MalformedAnswer } from './response-head.ts';
import { type Answer, ResponseParser } from './response-parser.ts';

/** Why a request got no answer, as counted in results: one of these words or a code of the system (`ECONNRESET`). */
export type Failure = 'closed' | 'malformed' | 'timeout' | 'unanswered' | (string & {});

/** The outcome of a request on a connection: exactly one of the two callbacks for each request sent. */
export interface ConnectionEvents {
  answered(answer: Answer): void;
  failed(failure: Failure): void;
}

const readBufferBytes = 64 * 1024;
/**
 * A connection that was idle for longer is not used again, because the server may close it while the request is on its
 * way. Yardarm closes connections after 72 seconds; clients keep to less.
 */
const defaultMaxIdleMs = 60_000;

/**
 * A keep-alive HTTP/1.1 connection with one request in flight. It connects when first needed, and again after it was
 * lost or idle for long. A connection that is lost during a request fails that request; one that is lost while idle
 * fails none.
 */
export class Connection {
  readonly parser = new ResponseParser();
  /** How often it had to connect, the first time included. */
  connects = 0;
  readonly #host: string;
  readonly #port: number;
  readonly #events: ConnectionEvents;
  readonly #readBuffer = Buffer.allocUnsafeSlow(readBufferBytes);
  readonly #maxIdleMs: number;
  #socket: Socket | undefined;
  #busy = false;
  /** When it connected, or the last answer came, on the clock of `performance.now`. */
  #idleSince = 0;

  constructor(origin: URL, events: ConnectionEvents, maxIdleMs = defaultMaxIdleMs) {
    if (origin.protocol !== 'http:') throw new TypeError(`The load generator speaks http only, not ${origin.protocol}`);
    this.#host = origin.hostname.replace(/^\[|\]$/g, '');
    this.#port = Number(origin.port || 80);
    this.#events = events;
    this.#maxIdleMs = maxIdleMs;
  }

  /** Connects ahead of the first request; rejects with the system's error. */
  open(): Promise<void> {
    const socket = this.#socket ?? this.#connect();
    if (!socket.connecting) return Promise.resolve();
    return new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('The connection was closed while it was being opened')));
    });
  }

  /** Sends one request, given as the complete bytes of HTTP/1.1. Throws if another request is in flight. */
  send(method: string, bytes: Buffer | string): void {
    if (this.#busy) throw new Error('A request is in flight on this connection');
    if (performance.now() - this.#idleSince > this.#maxIdleMs) this.#drop();
    this.#busy = true;
    this.parser.begin(method);
    const socket = this.#socket ?? this.#connect();
    socket.write(bytes);
  }

  /** Drops the connection; a request in flight fails with the given reason. */
  abort(failure: Failure): void {
    this.#lose(failure);
  }

  /** Drops the connection without a callback for the request in flight. */
  close(): void {
    this.#busy = false;
    this.#lose('closed');
  }

  #connect(): Socket {
    const socket = connect({
      host: this.#host,
      port: this.#port,
      noDelay: true,
      onread: {
        buffer: this.#readBuffer,
        callback: (count) => {
          if (socket === this.#socket) this.#receive(this.#readBuffer.subarray(0, count));
          return true;
        },
      },
    });
    this.#socket = socket;
    this.#idleSince = performance.now();
    this.connects += 1;
    const lost = (failure: Failure) => {
      if (socket === this.#socket) this.#lose(failure);
    };
    socket.on('error', (error: NodeJS.ErrnoException) => lost(error.code ?? 'closed'));
    socket.on('end', () => {
      if (socket === this.#socket) this.#ended();
    });
    socket.on('close', () => lost('closed'));
    return socket;
  }

  #receive(bytes: Buffer): void {
    let answer: Answer | undefined;
    try {
      answer = this.parser.feed(bytes);
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      this.#lose('malformed');
      return;
    }
    if (answer !== undefined) this.#deliver(answer);
  }

  #ended(): void {
    const answer = this.#busy ? this.parser.end() : undefined;
    if (answer === undefined) this.#lose('closed');
    else this.#deliver(answer);
  }

  #deliver(answer: Answer): void {
    this.#busy = false;
    this.#idleSince = performance.now();
    if (!answer.keepAlive) this.#drop();
    this.#events.answered(answer);
  }

  #lose(failure: Failure): void {
    this.#drop();
    if (!this.#busy) return;
    this.#busy = false;
    this.#events.failed(failure);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }
}
