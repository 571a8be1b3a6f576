import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type EventStream, shareBytes } from '../../http/event-stream.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Message, View } from './view.ts';

export interface StreamsOptions {
  /** Most that may be open at once in this process. */
  readonly limit: number;
  /** How much of `limit` the streams of one token may take, in percent. */
  readonly tokenShare: number;
  /** How often a stream on which nothing happens gets a comment, so that nobody on the way takes it for dead. */
  readonly heartbeatMs: number;
  readonly onError: (error: unknown) => void;
}

/** What lets a reader in, and whether it still does. Streams of the same `key` are asked once. */
export interface Pass {
  readonly key: number;
  /** Whether the streams of this key may take the whole limit: those of callers that need no token. */
  readonly isShared?: boolean;
  stillHolds(): Promise<boolean>;
}

/** What happened on streams, since the start. */
export interface StreamCounts {
  messages: number;
  /** Messages that held everything, to readers whose changes are no longer known. */
  rehydrations: number;
  /** Changes that came while a reader was behind, to be told together later. */
  heldBack: number;
  /** Streams that were cut because their reader took nothing. */
  stalled: number;
}

interface Reader {
  readonly stream: EventStream;
  readonly channel: Channel;
  readonly pass: Pass;
  /** The revision up to which it has been told. */
  told: number;
  /** A message for it is being made. */
  waits: boolean;
  /** Heartbeats since the reader last took all that was written. */
  missed: number;
}

/** All readers of one view, with the messages that they share. */
interface Channel {
  readonly view: View;
  readonly readers: Set<Reader>;
  /** Messages that lead to `revision`, by what their reader was told before. */
  readonly messages: Map<number, Message | null | Promise<Message | null>>;
  revision: number;
}

/** Work in one turn of the event loop. */
const turnMs = 4;
/** A reader that takes nothing for so many heartbeats is gone, whatever its connection says. */
const patience = 4;
const comment = shareBytes([Buffer.from(':\n\n')]);

/**
 * Streams that follow what SDKs get. A message is made once for all readers of a view. A reader that is behind is sent
 * nothing more until it has caught up, and then all that changed meanwhile as one message: what is kept for it is bounded
 * by one message.
 */
export class Streams {
  readonly counts: StreamCounts = { messages: 0, rehydrations: 0, heldBack: 0, stalled: 0 };
  readonly #options: StreamsOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #dirty = new Set<Channel>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #openOf = new Map<number, number>();
  #open = 0;
  #telling: Promise<void> | undefined;
  #beating = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => void this.#beat(), options.heartbeatMs);
  }

  get open(): number {
    return this.#open;
  }

  /** Rejects with 429 when this process, or the caller's token, has as many streams open as it may: SDKs then poll. */
  requireRoom({ key, isShared = false }: Pass): void {
    const { limit, tokenShare } = this.#options;
    if (this.#open >= limit) throw tooMany(`There are ${this.#open} streams open, which is as many as there may be.`);
    const ofToken = this.#openOf.get(key) ?? 0;
    if (isShared || ofToken < Math.max(1, Math.floor((limit * tokenShare) / 100))) return;
    throw tooMany(`This token has ${ofToken} streams open here, which is as many as one token may have.`);
  }

  /** Sends `stream` what the view shows, from what `known` is the revision of or from the beginning, until it ends. */
  join(stream: EventStream, view: View, pass: Pass, known: number | undefined): void {
    const channel = this.#channelOf(view);
    const reader: Reader = { stream, channel, pass, told: known ?? 0, waits: false, missed: 0 };
    channel.readers.add(reader);
    this.#open++;
    this.#openOf.set(pass.key, (this.#openOf.get(pass.key) ?? 0) + 1);
    stream.onCaughtUp(() => this.#tell(reader));
    stream.onClose(() => this.#leave(reader));
    this.#send(reader, view.first(known), view.revision());
  }

  /** To be called when what is shown in an environment has changed; null for all. */
  outdated(environment: string | null): void {
    for (const channel of this.#channels.values()) {
      if (environment === null || channel.view.environment === environment) this.#dirty.add(channel);
    }
    // After the turn in which the change is answered.
    if (this.#dirty.size > 0) this.#telling ??= this.#tellAll();
  }

  /** Ends soon the streams whose passes hold no more. */
  recheck(): void {
    void this.#check().catch(this.#options.onError);
  }

  /** Ends every stream; their readers come back. */
  endAll(): void {
    for (const { readers } of this.#channels.values()) for (const { stream } of readers) stream.end();
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.endAll();
    await this.#telling;
  }

  async #check(): Promise<void> {
    const readers = [...this.#channels.values()].flatMap((channel) => [...channel.readers]);
    for (const some of Map.groupBy(readers, ({ pass }) => pass.key).values()) {
      if (await (some[0] as Reader).pass.stillHolds()) continue;
      for (const { stream } of some) stream.end();
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
    const { channel, pass } = reader;
    if (!channel.readers.delete(reader)) return;
    this.#open--;
    const left = (this.#openOf.get(pass.key) as number) - 1;
    if (left === 0) this.#openOf.delete(pass.key);
    else this.#openOf.set(pass.key, left);
    if (channel.readers.size > 0) return;
    this.#channels.delete(channel.view.key);
    this.#dirty.delete(channel);
  }

  async #tellAll(): Promise<void> {
    await yieldToEventLoop();
    let until = performance.now() + turnMs;
    try {
      for (const channel of this.#dirty) {
        this.#dirty.delete(channel);
        for (const reader of channel.readers) {
          this.#tell(reader);
          if (performance.now() < until) continue;
          await yieldToEventLoop();
          until = performance.now() + turnMs;
        }
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#telling = undefined;
    }
  }

  /** Sends a reader what it has not been told, unless it is busy; then it is looked at again when it is not. */
  #tell(reader: Reader): void {
    const { channel, stream } = reader;
    if (!stream.isOpen || reader.waits || reader.told >= channel.view.revision()) return;
    if (stream.isBehind) this.counts.heldBack++;
    else this.#send(reader, this.#message(channel, reader.told), channel.revision);
  }

  #message(channel: Channel, told: number): Message | null | Promise<Message | null> {
    const revision = channel.view.revision();
    if (revision !== channel.revision) {
      channel.revision = revision;
      channel.messages.clear();
    }
    const made = channel.messages.get(told);
    if (made !== undefined) return made;
    const message = channel.view.next(told);
    channel.messages.set(told, message);
    return message;
  }

  /** `revision` is what a reader for whom there is nothing has been told by that. */
  #send(reader: Reader, message: Message | null | Promise<Message | null>, revision: number): void {
    if (message instanceof Promise) {
      reader.waits = true;
      message.then(
        (made) => {
          reader.waits = false;
          this.#send(reader, made, revision);
          this.#tell(reader);
        },
        (error) => {
          this.#options.onError(error);
          reader.stream.end();
        },
      );
      return;
    }
    reader.told = message?.revision ?? revision;
    if (message === null || !reader.stream.isOpen) return;
    this.counts.messages++;
    if (message.isRehydration) this.counts.rehydrations++;
    reader.stream.write(message.bytes);
  }

  /** Shows on each stream that it is alive, cuts those that are not, and looks whether tokens have come to their end. */
  async #beat(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    try {
      let until = performance.now() + turnMs;
      for (const { readers } of this.#channels.values()) {
        for (const reader of readers) {
          this.#beatOne(reader);
          if (performance.now() < until) continue;
          await yieldToEventLoop();
          until = performance.now() + turnMs;
        }
      }
      await this.#check();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#beating = false;
    }
  }

  #beatOne(reader: Reader): void {
    const { stream } = reader;
    if (!stream.isBehind) {
      reader.missed = 0;
      if (!reader.waits) stream.write(comment);
    } else if (++reader.missed >= patience) {
      this.counts.stalled++;
      stream.cut();
    }
  }
}

function tooMany(message: string): Problem {
  return new Problem('RateLimitError', message, { headers: { 'retry-after': '60' } });
}
