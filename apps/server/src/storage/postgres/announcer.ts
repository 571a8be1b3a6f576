import type { QueryConfig } from 'pg';
import { Loop } from '#kernel/loop.ts';
import { type Topic, topics } from '../engine.ts';

/** The notification channel of a database, and the name of this process on it. */
export interface Channel {
  readonly name: string;
  readonly self: string;
}

/** A named statement: each connection plans it once. */
const statement = { name: 'announce', text: 'select pg_notify($1, $2)' };

/**
 * Notifies the other processes on a channel that a topic has new rows, such as events. Calls that arrive while a
 * notification is being sent are coalesced. A lost notification of events delays the other processes by at most a
 * second.
 */
export class Announcer {
  readonly #query: (query: QueryConfig) => Promise<unknown>;
  readonly #channel: Channel;
  readonly #loop: Loop;
  readonly #pending = new Set<Topic>();

  constructor(query: (query: QueryConfig) => Promise<unknown>, channel: Channel, onError: (error: Error) => void) {
    this.#query = query;
    this.#channel = channel;
    this.#loop = new Loop({ round: () => this.#announcePending(), onError });
    this.#loop.start();
  }

  announce(topic: Topic): void {
    this.#pending.add(topic);
    this.#loop.wake();
  }

  /** Resolves when no notification is pending. */
  idle(): Promise<void> {
    return this.#loop.settle();
  }

  async #announcePending(): Promise<void> {
    // Wait, to coalesce the calls of all changes that shared a commit.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (this.#pending.size === 0) return;
    const payload = [this.#channel.self, ...this.#pending].join(' ');
    this.#pending.clear();
    await this.#query({ ...statement, values: [this.#channel.name, payload] });
  }
}

/** Returns the topics of a notification of another process; undefined for a notification of this process. */
export function announcedTopics(payload: string | undefined, { self }: Channel): readonly Topic[] | undefined {
  const [sender, ...named] = (payload ?? '').split(' ');
  return sender === self ? undefined : topics.filter((topic) => named.includes(topic));
}
