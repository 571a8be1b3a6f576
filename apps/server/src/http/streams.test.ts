import { describe, expect, it } from 'vitest';
import { type EventStream, type SharedBytes, shareBytes } from './event-stream.ts';
import type { Message, View } from './stream-view.ts';
import { Streams } from './streams.ts';

/** A stream whose reader is behind after each message until `catchUp` is called. */
class SlowReader implements EventStream {
  isBehind = false;
  isOpen = true;
  readonly received: string[] = [];
  #caughtUp: () => void = () => undefined;
  #closed: () => void = () => undefined;

  write({ plain }: SharedBytes): void {
    expect(this.isBehind).toBe(false);
    this.received.push(Buffer.concat(plain).toString());
    this.isBehind = true;
  }

  catchUp(): void {
    this.isBehind = false;
    this.#caughtUp();
  }

  onCaughtUp(listener: () => void): void {
    this.#caughtUp = listener;
  }

  onClose(listener: () => void): void {
    this.#closed = listener;
  }

  end(): void {
    this.isOpen = false;
    this.#closed();
  }

  cut(): void {
    this.end();
  }
}

/** A view whose only content is its revision; `built` lists all messages that were built. */
function numberView(): View & { now: number; readonly built: string[] } {
  const message = (text: string, revision: number): Message => {
    view.built.push(text);
    return { revision, bytes: shareBytes([Buffer.from(text)]), isRehydration: false };
  };
  const view = {
    key: 'number',
    environment: 'development',
    now: 1,
    built: [] as string[],
    revision: () => view.now,
    first: (last: number | undefined) => message(`from ${last ?? 'the beginning'} to ${view.now}`, view.now),
    next: (since: number) => message(`from ${since} to ${view.now}`, view.now),
  };
  return view;
}

const access = { key: 1, check: async () => ({}) };

async function withStreams(test: (streams: Streams) => Promise<void>, heartbeatMs = 1_000_000): Promise<void> {
  const errors: unknown[] = [];
  const streams = new Streams({
    limit: 10,
    tokenShare: 100,
    heartbeatMs,
    now: Date.now,
    onError: (error) => errors.push(error),
  });
  await test(streams);
  await streams.stop();
  expect(errors).toEqual([]);
}

describe('readers of one view', () => {
  it('share each message, and a slow reader gets all missed changes in one message', () =>
    withStreams(async (streams) => {
      const view = numberView();
      const [quick, other, slow] = [new SlowReader(), new SlowReader(), new SlowReader()];
      for (const reader of [quick, other, slow]) streams.join(reader, view, access, undefined);
      for (const revision of [2, 3, 4]) {
        for (const reader of [quick, other]) reader.catchUp();
        view.now = revision;
        streams.invalidate('development');
        await expect.poll(() => [quick, other].map(({ received }) => received.length)).toEqual([revision, revision]);
      }
      expect(slow.received).toEqual(['from the beginning to 1']);
      slow.catchUp();
      expect(slow.received).toEqual(['from the beginning to 1', 'from 1 to 4']);
      slow.catchUp();
      expect(slow.received).toHaveLength(2);
      expect(quick.received).toEqual(['from the beginning to 1', 'from 1 to 2', 'from 2 to 3', 'from 3 to 4']);
      // Only the first message is built for each reader.
      expect(view.built.slice(3)).toEqual(['from 1 to 2', 'from 2 to 3', 'from 3 to 4', 'from 1 to 4']);
      expect(streams.counts).toMatchObject({ messages: 10, heldBack: 3 });
    }));

  it('get no message for changes in another environment', () =>
    withStreams(async (streams) => {
      const view = numberView();
      const reader = new SlowReader();
      streams.join(reader, view, access, 1);
      reader.catchUp();
      view.now = 2;
      streams.invalidate('production');
      streams.invalidate(null);
      await expect.poll(() => reader.received).toEqual(['from 1 to 1', 'from 1 to 2']);
    }));

  it('are disconnected when they do not read for several heartbeats', () =>
    withStreams(async (streams) => {
      const [gone, alive] = [new SlowReader(), new SlowReader()];
      for (const reader of [gone, alive]) streams.join(reader, numberView(), access, undefined);
      alive.write = () => undefined;
      alive.catchUp();
      await expect.poll(() => gone.isOpen).toBe(false);
      expect([alive.isOpen, streams.open, streams.counts.stalled]).toEqual([true, 1, 1]);
    }, 5));

  it('are told nothing, caught up or not, before a check of their access has ended, and nothing when it fails', () =>
    withStreams(async (streams) => {
      const view = numberView();
      const { promise: answer, resolve: decide } = Promise.withResolvers<undefined>();
      const checked = { key: 2, check: () => answer };
      const [caughtUp, behind, valid] = [new SlowReader(), new SlowReader(), new SlowReader()];
      for (const reader of [caughtUp, behind]) streams.join(reader, view, checked, undefined);
      streams.join(valid, view, access, undefined);
      for (const reader of [caughtUp, valid]) reader.catchUp();
      streams.recheck();
      view.now = 2;
      streams.invalidate('development');
      behind.catchUp();
      // Turns of the event loop in which the delivery would have begun.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      decide(undefined);
      await expect.poll(() => valid.received).toEqual(['from the beginning to 1', 'from 1 to 2']);
      for (const { isOpen, received } of [caughtUp, behind])
        expect({ isOpen, received }).toEqual({ isOpen: false, received: ['from the beginning to 1'] });
    }));

  it('are checked again when their access ends by itself, also when that time has moved meanwhile', () =>
    withStreams(async (streams) => {
      const reader = new SlowReader();
      const ends = [Date.now() + 20, Date.now() + 40];
      const check = async () => (ends.length === 0 ? undefined : { expiresAt: ends.shift() as number });
      streams.join(reader, numberView(), { key: 2, expiresAt: Date.now() + 5, check }, undefined);
      await expect.poll(() => reader.isOpen).toBe(false);
      expect(ends).toEqual([]);
    }));

  it('are forgotten when they disconnect', () =>
    withStreams(async (streams) => {
      const reader = new SlowReader();
      const view = numberView();
      streams.join(reader, view, access, undefined);
      reader.end();
      expect(streams.open).toBe(0);
      view.now = 2;
      streams.invalidate('development');
      expect(reader.received).toHaveLength(1);
    }));
});
