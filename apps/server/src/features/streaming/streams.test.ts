import { describe, expect, it } from 'vitest';
import { type EventStream, type SharedBytes, shareBytes } from '../../http/event-stream.ts';
import { Streams } from './streams.ts';
import type { Message, View } from './view.ts';

/** A reader that takes what it is sent when it is told to. */
class SlowReader implements EventStream {
  isBehind = false;
  isOpen = true;
  readonly got: string[] = [];
  #caughtUp: () => void = () => undefined;
  #closed: () => void = () => undefined;

  write({ plain }: SharedBytes): void {
    expect(this.isBehind).toBe(false);
    this.got.push(Buffer.concat(plain).toString());
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

/** A view of a number; `made` holds each message that was made of it. */
function numberView(): View & { now: number; readonly made: string[] } {
  const message = (text: string, revision: number): Message => {
    view.made.push(text);
    return { revision, bytes: shareBytes([Buffer.from(text)]), isRehydration: false };
  };
  const view = {
    key: 'number',
    environment: 'development',
    now: 1,
    made: [] as string[],
    revision: () => view.now,
    first: (known: number | undefined) => message(`from ${known ?? 'the beginning'} to ${view.now}`, view.now),
    next: (told: number) => message(`from ${told} to ${view.now}`, view.now),
  };
  return view;
}

const pass = { key: 1, stillHolds: async () => true };

async function withStreams(test: (streams: Streams) => Promise<void>, heartbeatMs = 1_000_000): Promise<void> {
  const trouble: unknown[] = [];
  const streams = new Streams({ limit: 10, tokenShare: 100, heartbeatMs, onError: (error) => trouble.push(error) });
  await test(streams);
  await streams.stop();
  expect(trouble).toEqual([]);
}

describe('readers of one view', () => {
  it('share each message, and one that is behind gets what it missed as one', () =>
    withStreams(async (streams) => {
      const view = numberView();
      const [quick, alike, slow] = [new SlowReader(), new SlowReader(), new SlowReader()];
      for (const reader of [quick, alike, slow]) streams.join(reader, view, pass, undefined);
      for (const revision of [2, 3, 4]) {
        for (const reader of [quick, alike]) reader.catchUp();
        view.now = revision;
        streams.outdated('development');
        await expect.poll(() => [quick, alike].map(({ got }) => got.length)).toEqual([revision, revision]);
      }
      expect(slow.got).toEqual(['from the beginning to 1']);
      slow.catchUp();
      expect(slow.got).toEqual(['from the beginning to 1', 'from 1 to 4']);
      slow.catchUp();
      expect(slow.got).toHaveLength(2);
      expect(quick.got).toEqual(['from the beginning to 1', 'from 1 to 2', 'from 2 to 3', 'from 3 to 4']);
      // Once for all, but the first, which each gets when it comes.
      expect(view.made.slice(3)).toEqual(['from 1 to 2', 'from 2 to 3', 'from 3 to 4', 'from 1 to 4']);
      expect(streams.counts).toMatchObject({ messages: 10, heldBack: 3 });
    }));

  it('are not told of what happens in another environment', () =>
    withStreams(async (streams) => {
      const view = numberView();
      const reader = new SlowReader();
      streams.join(reader, view, pass, 1);
      reader.catchUp();
      view.now = 2;
      streams.outdated('production');
      streams.outdated(null);
      await expect.poll(() => reader.got).toEqual(['from 1 to 1', 'from 1 to 2']);
    }));

  it('are cut when they take nothing for a long time', () =>
    withStreams(async (streams) => {
      const [gone, alive] = [new SlowReader(), new SlowReader()];
      for (const reader of [gone, alive]) streams.join(reader, numberView(), pass, undefined);
      alive.write = () => undefined;
      alive.catchUp();
      await expect.poll(() => gone.isOpen).toBe(false);
      expect([alive.isOpen, streams.open, streams.counts.stalled]).toEqual([true, 1, 1]);
    }, 5));

  it('leave nothing behind when they go', () =>
    withStreams(async (streams) => {
      const reader = new SlowReader();
      const view = numberView();
      streams.join(reader, view, pass, undefined);
      reader.end();
      expect(streams.open).toBe(0);
      view.now = 2;
      streams.outdated('development');
      expect(reader.got).toHaveLength(1);
    }));
});
