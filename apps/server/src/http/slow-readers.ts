import type { ServerResponse } from 'node:http';

/**
 * The time without progress after which the connection of a slow reader is closed, in milliseconds: four heartbeats of
 * an event stream, which come every 25 s.
 */
export const defaultStalledMs = 100_000;

/** The bytes of unread answers that all connections may hold. */
const defaultMaxUnsentBytes = 128 * 1024 * 1024;

/**
 * Smaller answers fit into the buffers of the operating system, and a slow reader then uses no memory of this process.
 */
const longAnswer = 64 * 1024;

export interface SlowReaderLimits {
  readonly stalledMs?: number | undefined;
  /** Default: {@link defaultMaxUnsentBytes}. */
  readonly maxUnsentBytes?: number | undefined;
}

/** A body that is being sent, and the answers that it is sent with. */
interface Unsent {
  readonly bytes: number;
  readonly answers: Set<ServerResponse>;
}

/**
 * Bounds the memory that slow readers use: closes the connection of an answer that makes no progress for a while and,
 * when the unread bodies of all answers exceed a limit, the connections of the body that was last sent the longest ago.
 * A body that is sent to many readers counts once.
 */
export class SlowReaders {
  readonly #stalledMs: number;
  readonly #maxBytes: number;
  /** In the order in which each body was last sent. */
  readonly #unsent = new Map<object, Unsent>();
  #bytes = 0;

  constructor({ stalledMs = defaultStalledMs, maxUnsentBytes = defaultMaxUnsentBytes }: SlowReaderLimits) {
    this.#stalledMs = stalledMs;
    this.#maxBytes = maxUnsentBytes;
  }

  /** Watches the reader of an answer that is a stream of text, which holds only a piece of it in memory. */
  watchStream(response: ServerResponse): void {
    response.setTimeout(this.#stalledMs);
  }

  /** Watches the reader of an answer with this body. Does nothing for a short body. */
  watch(response: ServerResponse, body: unknown): void {
    if (!(typeof body === 'string' || body instanceof Uint8Array) || body.length <= longAnswer) return;
    response.setTimeout(this.#stalledMs);
    // Equal texts of two answers are two texts in memory.
    const key = typeof body === 'string' ? response : body;
    const unsent = this.#unsent.get(key) ?? { bytes: Buffer.byteLength(body), answers: new Set() };
    if (unsent.answers.size === 0) this.#bytes += unsent.bytes;
    unsent.answers.add(response);
    this.#unsent.delete(key);
    this.#unsent.set(key, unsent);
    response.once('close', () => {
      unsent.answers.delete(response);
      if (unsent.answers.size === 0) this.#drop(key, unsent);
    });
    for (const [oldest, dropped] of this.#unsent) {
      if (this.#bytes <= this.#maxBytes || oldest === key) return;
      this.#drop(oldest, dropped);
      for (const answer of dropped.answers) answer.destroy();
    }
  }

  #drop(key: object, unsent: Unsent): void {
    if (this.#unsent.get(key) !== unsent) return;
    this.#unsent.delete(key);
    this.#bytes -= unsent.bytes;
  }
}
