import type { EventStream, SharedBytes } from './event-stream.ts';
import { message, type View } from './stream-view.ts';
import type { Streams } from './streams.ts';

const access = { key: 'loop probe', isProbe: true, check: async () => ({}) } as const;
const bytes = message('loop-probe', '1', Buffer.from('{}'));

/**
 * Sends a message to a reader in this process in the same way as a change: it waits in the queue of deliveries, and is
 * then written to the reader's stream. Resolves when the message is written; rejects when the stream ends before, or
 * when `abandoned` aborts.
 */
export async function probeStreams(streams: Streams, abandoned: AbortSignal): Promise<void> {
  abandoned.throwIfAborted();
  const reader = new ProbeReader();
  let revision = 0;
  const view: View = {
    key: access.key,
    // No environment has a name with a space, so only this reader gets the message.
    environment: access.key,
    revision: () => revision,
    first: () => null,
    next: () => ({ revision, bytes, isRehydration: false }),
  };
  const end = () => reader.end();
  abandoned.addEventListener('abort', end);
  streams.join(reader, view, access, undefined);
  revision = 1;
  streams.invalidate(view.environment);
  try {
    await reader.received;
  } finally {
    abandoned.removeEventListener('abort', end);
    reader.end();
  }
}

/** A reader without a connection, which waits for the message of a probe. */
class ProbeReader implements EventStream {
  readonly isBehind = false;
  isOpen = true;
  readonly #message = Promise.withResolvers<void>();
  #onClose: () => void = () => undefined;

  get received(): Promise<void> {
    return this.#message.promise;
  }

  write(written: SharedBytes): void {
    // A heartbeat may come first.
    if (written === bytes) this.#message.resolve();
  }

  onCaughtUp(): void {
    // A reader that is never behind does not catch up.
  }

  onClose(listener: () => void): void {
    this.#onClose = listener;
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#onClose();
    this.#message.reject(new Error('the stream of the probe ended before its message came'));
  }

  cut(): void {
    this.end();
  }
}
