import type { IncomingMessage } from 'node:http';
import { Problem } from '#kernel/errors.ts';
import { readChunks } from './body.ts';

/** How many bytes of bodies with unproven senders are kept at once: some thousand ordinary alerts. */
const maxBytes = 64 * 1024 * 1024;

interface Body {
  readonly chunks: Buffer[];
  bytes: number;
  /** Refuses a body that is being read; undefined for a body that has been read. */
  refuse: (() => void) | undefined;
}

/**
 * Reads bodies that must be read before their sender is known, because a signature of the body proves it. The bodies of
 * all connections together are bounded: beyond it, the one that began first and is still being read is refused with
 * 503, so that senders that are slow on purpose do not keep others out.
 */
export class UnprovenBodies {
  /** In the order of their beginnings. */
  readonly #bodies = new Set<Body>();
  #bytes = 0;

  /** Reads a body of at most `limit` bytes, as `readBody` does, and keeps it counted until `answer` has ended. */
  async read<T>(stream: IncomingMessage, limit: number, answer: (body: Buffer) => Promise<T>): Promise<T> {
    const refused = Promise.withResolvers<never>();
    const body: Body = { chunks: [], bytes: 0, refuse: () => refused.reject(tooMany()) };
    this.#bodies.add(body);
    try {
      const reading = readChunks(stream, limit, (chunk) => {
        if (!this.#bodies.has(body)) return;
        body.chunks.push(chunk);
        body.bytes += chunk.length;
        this.#bytes += chunk.length;
        this.#refuseOldest();
      });
      await Promise.race([reading, refused.promise]);
      body.refuse = undefined;
      return await answer(Buffer.concat(body.chunks.splice(0)));
    } finally {
      this.#drop(body);
    }
  }

  #refuseOldest(): void {
    for (const body of this.#bodies) {
      if (this.#bytes <= maxBytes) return;
      if (body.refuse === undefined) continue;
      this.#drop(body);
      body.refuse();
    }
  }

  #drop(body: Body): void {
    if (this.#bodies.delete(body)) this.#bytes -= body.bytes;
    // The connection of a slow sender keeps its body referenced for as long as it is open.
    body.chunks.length = 0;
  }
}

function tooMany(): Problem {
  return new Problem(
    'ServiceUnavailableError',
    'Too many bodies of senders that are not known yet are being read. Send the request again.',
    { headers: { 'retry-after': '1' } },
  );
}
