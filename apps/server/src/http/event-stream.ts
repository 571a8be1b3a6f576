import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { beginStream } from './request-turns.ts';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: OpenStreams;
  }
}

/** Bytes that are written to many streams, framed as a chunk once for all of them. */
export interface SharedBytes {
  /** The bytes as one chunk (RFC 9112 section 7.1). */
  readonly chunk: readonly Buffer[];
  /** The bytes without a frame, for HTTP/1.0. */
  readonly plain: readonly Buffer[];
}

/**
 * Frames `pieces` as a chunk. Copies small pieces into one buffer, so that each stream needs one write; does not copy
 * large pieces.
 */
export function shareBytes(pieces: readonly Buffer[]): SharedBytes {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const size = Buffer.from(`${length.toString(16)}\r\n`);
  const framed = [size, ...pieces, crlf];
  if (length >= copiedBytes) return { chunk: framed, plain: pieces };
  const chunk = Buffer.concat(framed);
  return { chunk: [chunk], plain: [chunk.subarray(size.length, size.length + length)] };
}

const crlf = Buffer.from('\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');
const copiedBytes = 64 * 1024;

/** A stream of server-sent events to one reader, with backpressure. */
export interface EventStream {
  /** Whether written data is still buffered because the reader is slow: further messages would use memory. */
  readonly isBehind: boolean;
  readonly isOpen: boolean;
  /** Writes a whole message. */
  write(message: SharedBytes): void;
  /** Calls `listener` each time a slow reader has read all buffered data. */
  onCaughtUp(listener: () => void): void;
  /** Calls `listener` once when the stream has ended, on either side. */
  onClose(listener: () => void): void;
  /** Ends the stream after the reader has read all buffered data. */
  end(): void;
  /** Closes the connection at once and drops buffered data. */
  cut(): void;
}

class ResponseStream implements EventStream {
  readonly #response: ServerResponse;
  readonly #isChunked: boolean;

  /** `response` must have sent its headers, which decide whether the body is chunked. */
  constructor(response: ServerResponse) {
    this.#response = response;
    this.#isChunked = response.chunkedEncoding;
    // Messages are framed already. Node would frame them again for each reader, with several writes each.
    response.chunkedEncoding = false;
    // A reader that disconnects during a message is not an error; the close listener cleans up.
    response.on('error', () => undefined);
  }

  get isBehind(): boolean {
    return this.#response.writableNeedDrain;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  write({ chunk, plain }: SharedBytes): void {
    for (const piece of this.#isChunked ? chunk : plain) this.#response.write(piece);
  }

  onCaughtUp(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  end(): void {
    if (!this.isOpen) return;
    if (this.#isChunked) this.#response.end(lastChunk);
    else this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }
}

/** The open streams of a server. They are ended when the server closes, which would otherwise wait for them. */
class OpenStreams {
  readonly #open = new Set<EventStream>();
  readonly #replies = new WeakSet<FastifyReply>();
  readonly #closing = new AbortController();

  /** Aborts when the server begins to close. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  add(reply: FastifyReply): EventStream {
    const stream = new ResponseStream(reply.raw);
    this.#replies.add(reply);
    this.#open.add(stream);
    stream.onClose(() => this.#open.delete(stream));
    if (this.closing.aborted) stream.end();
    return stream;
  }

  isStream(reply: FastifyReply): boolean {
    return this.#replies.has(reply);
  }

  endAll(): void {
    this.#closing.abort();
    for (const stream of this.#open) stream.end();
  }
}

/** Adds the support for event streams to `app`. */
export function addEventStreams(app: FastifyInstance): void {
  app.decorate('eventStreams', new OpenStreams());
  app.addHook('preClose', (done) => {
    app.eventStreams.endAll();
    done();
  });
}

/**
 * Answers with an event stream and passes it to `start` after the headers are sent. Closes the connection when a
 * further request on it waits for its answer.
 */
export function answerWithEvents(reply: FastifyReply, start: (stream: EventStream) => void): FastifyReply {
  const { raw } = reply;
  reply.hijack();
  // The stream ends when the server stops; a connection that is kept alive after the stream would delay the shutdown.
  raw.shouldKeepAlive = false;
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': `${reply.getHeader('cache-control') ?? 'no-cache'}, no-transform`,
    // Prevents nginx and similar proxies from buffering messages.
    'x-accel-buffering': 'no',
  };
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  if (reply.request.method === 'HEAD') {
    raw.end();
    return reply;
  }
  if (!beginStream(reply.request.raw.socket)) {
    raw.destroy();
    return reply;
  }
  raw.flushHeaders();
  const stream = reply.server.eventStreams.add(reply);
  if (stream.isOpen) start(stream);
  return reply;
}
