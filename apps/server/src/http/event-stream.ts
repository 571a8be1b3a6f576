import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: OpenStreams;
  }
}

/** Bytes that many streams write: framed once, and not for each stream. */
export interface SharedBytes {
  /** The bytes as one chunk (RFC 9112 section 7.1). */
  readonly chunk: readonly Buffer[];
  /** The bytes without a frame, for HTTP/1.0. */
  readonly plain: readonly Buffer[];
}

/** Returns `pieces` with the frame of a chunk. Small ones become one write for each stream; large ones are not copied. */
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

/** Messages to one reader (server-sent events), who may be slower than they come. */
export interface EventStream {
  /** Whether the reader has not taken all that was written: more would only be kept for it here. */
  readonly isBehind: boolean;
  readonly isOpen: boolean;
  /** Writes a whole message. */
  write(message: SharedBytes): void;
  /** Calls `listener` each time when the reader, having been behind, has taken all. */
  onCaughtUp(listener: () => void): void;
  /** Calls `listener` once when the stream has ended, whoever ended it. */
  onClose(listener: () => void): void;
  /** Ends the stream when the reader has taken what was written. */
  end(): void;
  /** Ends the stream with its connection, without what the reader has not taken. */
  cut(): void;
}

class ResponseStream implements EventStream {
  readonly #response: ServerResponse;
  readonly #isChunked: boolean;

  /** `response` has sent its head, which says whether the body is chunked. */
  constructor(response: ServerResponse) {
    this.#response = response;
    this.#isChunked = response.chunkedEncoding;
    // What is written has its frame already: Node would write size, data and line ends one by one, for each reader.
    response.chunkedEncoding = false;
    // A reader that goes away in the middle of a message is no failure; what is to be done then is done on close.
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

/** The streams of one server. They are ended when it closes, which would wait for them otherwise. */
class OpenStreams {
  readonly #open = new Set<EventStream>();
  readonly #replies = new WeakSet<FastifyReply>();
  #closing = false;

  add(reply: FastifyReply): EventStream {
    const stream = new ResponseStream(reply.raw);
    this.#replies.add(reply);
    this.#open.add(stream);
    stream.onClose(() => this.#open.delete(stream));
    if (this.#closing) stream.end();
    return stream;
  }

  isStream(reply: FastifyReply): boolean {
    return this.#replies.has(reply);
  }

  endAll(): void {
    this.#closing = true;
    for (const stream of this.#open) stream.end();
  }
}

/** Lets routes of `app` answer with streams of events. */
export function addEventStreams(app: FastifyInstance): void {
  app.decorate('eventStreams', new OpenStreams());
  app.addHook('preClose', (done) => {
    app.eventStreams.endAll();
    done();
  });
}

/** Answers with a stream of events, which `start` is handed when it has begun. */
export function answerWithEvents(reply: FastifyReply, start: (stream: EventStream) => void): FastifyReply {
  const { raw } = reply;
  reply.hijack();
  // A stream ends when the server stops, and a connection that was kept would hold up the stop.
  raw.shouldKeepAlive = false;
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // Proxies of the nginx kind would hold messages back.
    'x-accel-buffering': 'no',
  };
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  if (reply.request.method === 'HEAD') {
    raw.end();
    return reply;
  }
  raw.flushHeaders();
  const stream = reply.server.eventStreams.add(reply);
  if (stream.isOpen) start(stream);
  return reply;
}
