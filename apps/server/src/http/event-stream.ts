import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: OpenStreams;
  }
}

/** Messages to one reader (server-sent events), who may be slower than they come. */
export interface EventStream {
  /** Whether the reader has not taken all that was written: more would only be kept for it here. */
  readonly isBehind: boolean;
  readonly isOpen: boolean;
  /** Writes whole messages, in pieces that many streams may share. */
  write(pieces: readonly Uint8Array[]): void;
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

  constructor(response: ServerResponse) {
    this.#response = response;
    // A reader that goes away in the middle of a message is no failure; what is to be done then is done on close.
    response.on('error', () => undefined);
  }

  get isBehind(): boolean {
    return this.#response.writableNeedDrain;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  write(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.#response.write(piece);
  }

  onCaughtUp(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  end(): void {
    this.#response.end();
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
  // The end of the connection is the end of the stream: without chunks a message is written as it is.
  raw.shouldKeepAlive = false;
  raw.useChunkedEncodingByDefault = false;
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
