import { Problem } from '#kernel/errors.ts';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import { firstOf } from '#kernel/lists.ts';
import { Loop } from '#kernel/loop.ts';
import { type EventStream, shareBytes } from './event-stream.ts';
import type { Message, View } from './stream-view.ts';

export interface StreamsOptions {
  /** The maximum number of open streams in this process. */
  readonly limit: number;
  /** The share of `limit` that the streams of one token may use, in percent. */
  readonly tokenShare: number;
  /** The interval of heartbeats: comments that keep proxies from closing an idle stream. */
  readonly heartbeatMs: number;
  /** Returns the present time, in milliseconds UTC. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** The right to read a stream. Streams of the same token have the same `key` and are checked together. */
export interface StreamAccess {
  readonly key: number | string;
  /** Whether the token share does not apply, as for callers without a token. */
  readonly isUnlimited?: boolean;
  /** Whether the stream is a probe of this process, which counts in no limit and no metric. */
  readonly isProbe?: boolean;
  /** The time at which the access ends by itself, in milliseconds UTC; absent or null when it does not. */
  readonly expiresAt?: number | null;
  /**
   * Checks the access again: returns undefined when it has ended, or else when it ends by itself, which may have moved,
   * such as that of a session that was used.
   */
  check(): Promise<Pick<StreamAccess, 'expiresAt'> | undefined>;
}

/** Counters since the start of the process. */
export interface StreamCounts {
  messages: number;
  /** Messages with all flags, sent to readers whose changes were no longer in the change log. */
  rehydrations: number;
  /** Changes not sent at once because the reader was behind. */
  heldBack: number;
  /** Streams closed because their reader did not read for several heartbeats. */
  stalled: number;
}

interface Reader {
  readonly stream: EventStream;
  readonly channel: Channel;
  readonly access: StreamAccess;
  /** The revision of the last message that was sent. */
  revision: number;
  /** Whether a message for this reader is being built. */
  isMessagePending: boolean;
  /** Heartbeats since the reader last read everything that was written. */
  missedHeartbeats: number;
}

/** The revision of a reader who needs everything: less than every revision, and in no change log. */
export const unknownRevision = -1;

/** All readers of one view, with the messages that they share. */
interface Channel {
  readonly view: View;
  readonly readers: Set<Reader>;
  /** Messages that lead to `revision`, by the revision they start from. */
  readonly messages: Map<number, Message | null | Promise<Message | null>>;
  revision: number;
}

/** Milliseconds of work per turn of the event loop. */
const turnMs = 4;
/** The longest time until the access of streams that end by themselves is checked again: timers take no more. */
const longestTimerMs = 24 * 60 * 60 * 1000;
/** A stream is closed when its reader has not read for this number of heartbeats, even if the connection is open. */
const maxMissedHeartbeats = 4;
const heartbeat = shareBytes([Buffer.from(':\n\n')]);

/**
 * Server-sent event streams that deliver changes of flags. A message is built once for all readers of a view.
 * Backpressure: a reader that is behind gets no message until it has caught up, and then one message with all changes.
 * So the buffer of a slow reader is bounded by one message.
 */
export class Streams {
  readonly counts: StreamCounts = { messages: 0, rehydrations: 0, heldBack: 0, stalled: 0 };
  readonly #options: StreamsOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #dirty = new Set<Channel>();
  readonly #heartbeats: Loop;
  /** Checks the access of all streams when that of one ends by itself. */
  readonly #expiries: Loop;
  readonly #openByKey = new Map<number | string, number>();
  #open = 0;
  /** How many times all readers have lost their revision. */
  #resets = 0;
  #delivery: Promise<void> | undefined;
  /** The checks of access that have not ended: no message is sent before they have. */
  #checks: Promise<void> | undefined;

  constructor(options: StreamsOptions) {
    this.#options = options;
    const { heartbeatMs, onError } = options;
    this.#heartbeats = new Loop({ round: () => this.#beat(), onError, everyMs: heartbeatMs });
    this.#expiries = new Loop({ round: async () => this.recheck(), onError });
    this.#heartbeats.start();
    this.#expiries.start();
  }

  /** The interval of heartbeats, in milliseconds. */
  get heartbeatMs(): number {
    return this.#options.heartbeatMs;
  }

  get open(): number {
    return this.#open;
  }

  /** Throws a 429 when this process or the token has reached its limit of open streams. SDKs then poll. */
  requireCapacity({ key, isUnlimited = false }: StreamAccess): void {
    const { limit, tokenShare } = this.#options;
    if (this.#open >= limit)
      throw tooMany(`The server has reached its limit of ${limit} open streams. Poll, or try again later.`);
    const openOfKey = this.#openByKey.get(key) ?? 0;
    const limitOfKey = Math.max(1, Math.floor((limit * tokenShare) / 100));
    if (isUnlimited || openOfKey < limitOfKey) return;
    throw tooMany(`This API token has reached its limit of ${limitOfKey} open streams. Poll, or try again later.`);
  }

  /**
   * Adds a reader to a view: sends the first message, from the revision `lastRevision` if given, and then all changes.
   */
  join(stream: EventStream, view: View, access: StreamAccess, lastRevision: number | undefined): void {
    const channel = this.#channelOf(view);
    const reader: Reader = {
      stream,
      channel,
      access,
      revision: lastRevision ?? 0,
      isMessagePending: false,
      missedHeartbeats: 0,
    };
    channel.readers.add(reader);
    this.#count(access, 1);
    this.#checkAt(access.expiresAt);
    stream.onCaughtUp(() => {
      if (this.#checks === undefined) this.#update(reader);
      else void this.#checks.then(() => this.#update(reader));
    });
    stream.onClose(() => this.#leave(reader));
    this.#send(reader, view.first(lastRevision), view.revision());
  }

  /** Schedules messages to the readers of an environment after a change; null for all environments. */
  invalidate(environment: string | null): void {
    for (const channel of this.#channels.values()) {
      const { environment: shown } = channel.view;
      if (environment === null || shown === null || shown === environment) this.#dirty.add(channel);
    }
    // Delivery begins in the next turn of the event loop, so that the change is answered first.
    if (this.#dirty.size > 0) this.#delivery ??= this.#updateDirty();
  }

  /** Resolves when all scheduled messages have been written; undefined when none is scheduled. */
  get delivery(): Promise<void> | undefined {
    return this.#delivery;
  }

  /** Schedules a message with everything to all readers, because revisions are ids of another epoch of the log now. */
  sendAllAnew(): void {
    this.#resets++;
    for (const channel of this.#channels.values()) {
      channel.messages.clear();
      for (const reader of channel.readers) reader.revision = unknownRevision;
    }
    this.invalidate(null);
  }

  /** Ends the streams whose access is no longer valid, asynchronously, before they tell of any later change. */
  recheck(): void {
    const before = this.#checks ?? Promise.resolve();
    const checks = before
      .then(() => this.#check())
      .catch(this.#options.onError)
      .finally(() => {
        if (this.#checks === checks) this.#checks = undefined;
      });
    this.#checks = checks;
  }

  /** Ends every stream. Their readers reconnect. */
  endAll(): void {
    for (const { readers } of this.#channels.values()) for (const { stream } of readers) stream.end();
  }

  async stop(): Promise<void> {
    const stopped = Promise.all([this.#heartbeats.stop(), this.#expiries.stop()]);
    this.endAll();
    await stopped;
    await this.#delivery;
  }

  /** Schedules a check of all streams for the time at which the access of one ends by itself. */
  #checkAt(time: number | null | undefined): void {
    if (time === null || time === undefined) return;
    this.#expiries.wake(Math.min(Math.max(time - this.#options.now(), 1), longestTimerMs));
  }

  async #check(): Promise<void> {
    const readers = [...this.#channels.values()].flatMap((channel) => [...channel.readers]);
    for (const group of Map.groupBy(readers, ({ access }) => access.key).values()) {
      const valid = await firstOf(group).access.check();
      if (valid === undefined) for (const { stream } of group) stream.end();
      else this.#checkAt(valid.expiresAt);
    }
  }

  #channelOf(view: View): Channel {
    const known = this.#channels.get(view.key);
    if (known !== undefined) return known;
    const channel: Channel = { view, readers: new Set(), messages: new Map(), revision: view.revision() };
    this.#channels.set(view.key, channel);
    return channel;
  }

  #leave(reader: Reader): void {
    const { channel, access } = reader;
    if (!channel.readers.delete(reader)) return;
    this.#count(access, -1);
    if (channel.readers.size > 0) return;
    this.#channels.delete(channel.view.key);
    this.#dirty.delete(channel);
  }

  /** Counts a stream that opens (1) or closes (-1). */
  #count({ key, isProbe = false }: StreamAccess, change: 1 | -1): void {
    if (isProbe) return;
    this.#open += change;
    const open = (this.#openByKey.get(key) ?? 0) + change;
    if (open === 0) this.#openByKey.delete(key);
    else this.#openByKey.set(key, open);
  }

  async #updateDirty(): Promise<void> {
    await yieldToEventLoop();
    let until = performance.now() + turnMs;
    try {
      for (const channel of this.#dirty) {
        this.#dirty.delete(channel);
        if (this.#checks !== undefined) await this.#checks;
        for (const reader of channel.readers) {
          this.#update(reader);
          if (performance.now() < until) continue;
          await yieldToEventLoop();
          until = performance.now() + turnMs;
        }
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#delivery = undefined;
    }
  }

  /** Sends a reader the changes since its last message. A reader that is behind gets them when it has caught up. */
  #update(reader: Reader): void {
    const { channel, stream } = reader;
    if (!stream.isOpen || reader.isMessagePending || reader.revision >= channel.view.revision()) return;
    if (stream.isBehind) this.counts.heldBack++;
    else this.#send(reader, this.#messageSince(channel, reader.revision), channel.revision);
  }

  #messageSince(channel: Channel, since: number): Message | null | Promise<Message | null> {
    const revision = channel.view.revision();
    if (revision !== channel.revision) {
      channel.revision = revision;
      channel.messages.clear();
    }
    const shared = channel.messages.get(since);
    if (shared !== undefined) return shared;
    const message = channel.view.next(since);
    channel.messages.set(since, message);
    if (message instanceof Promise) {
      const drop = () => {
        if (channel.messages.get(since) === message) channel.messages.delete(since);
      };
      // Do not share a message that ends before the current revision. Readers that read a long log are at different
      // positions, so keeping all such messages would keep the whole log in memory.
      message.then((built) => {
        if (built !== null && built.revision < revision) drop();
      }, drop);
    }
    return message;
  }

  /** Sends a message. When there is none (null), the reader is up to date with `revision`. */
  #send(reader: Reader, message: Message | null | Promise<Message | null>, revision: number): void {
    if (message instanceof Promise) {
      const resets = this.#resets;
      reader.isMessagePending = true;
      message.then(
        (built) => {
          reader.isMessagePending = false;
          // A message that was begun before a reset leads to a revision that is no longer one.
          if (resets === this.#resets) this.#send(reader, built, revision);
          this.#update(reader);
        },
        (error) => {
          this.#options.onError(error);
          reader.stream.end();
        },
      );
      return;
    }
    reader.revision = message?.revision ?? revision;
    if (message === null || !reader.stream.isOpen) return;
    if (reader.access.isProbe !== true) this.counts.messages++;
    if (message.isRehydration) this.counts.rehydrations++;
    reader.stream.write(message.bytes);
  }

  /** Sends a heartbeat on each stream, closes stalled streams, and ends streams whose tokens have expired. */
  async #beat(): Promise<void> {
    let until = performance.now() + turnMs;
    for (const { readers } of this.#channels.values()) {
      for (const reader of readers) {
        this.#beatReader(reader);
        if (performance.now() < until) continue;
        await yieldToEventLoop();
        until = performance.now() + turnMs;
      }
    }
    await this.#check();
  }

  #beatReader(reader: Reader): void {
    const { stream } = reader;
    if (!stream.isBehind) {
      reader.missedHeartbeats = 0;
      if (!reader.isMessagePending) stream.write(reader.channel.view.heartbeat ?? heartbeat);
    } else if (++reader.missedHeartbeats >= maxMissedHeartbeats) {
      this.counts.stalled++;
      stream.cut();
    }
  }
}

function tooMany(message: string): Problem {
  return new Problem('RateLimitError', message, { headers: { 'retry-after': '60' } });
}
