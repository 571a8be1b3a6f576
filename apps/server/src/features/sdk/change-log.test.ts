import { describe, expect, it } from 'vitest';
import { type Change, ChangeLog } from './change-log.ts';

const change = (id: number, environment: string | null = 'development'): Change => ({
  id,
  environment,
  flags: new Map([['a', new Set(['default'])]]),
  bringsSegments: false,
  segment: null,
});
const ids = (changes: readonly Change[] | undefined) => changes?.map(({ id }) => id);

describe('the changes that are remembered', () => {
  it('are those of an environment and of all of them, after an event', () => {
    const log = new ChangeLog(10, () => 10);
    for (const one of [change(11), change(12, 'production'), change(13, null), change(15)]) log.note([one]);
    expect(ids(log.since('development', 10))).toEqual([11, 13, 15]);
    expect(ids(log.since('development', 11))).toEqual([13, 15]);
    expect(ids(log.since('production', 12))).toEqual([13]);
    expect(ids(log.since('production', 15))).toEqual([]);
  });

  it('do not reach further back than their start, but where nothing had changed before it', () => {
    const log = new ChangeLog(10, (environment) => (environment === 'development' ? 7 : 3));
    log.note([change(11, null)]);
    expect(log.since('development', 6)).toBeUndefined();
    expect(ids(log.since('development', 7))).toEqual([11]);
    expect(log.since('production', 2)).toBeUndefined();
    expect(ids(log.since('production', 3))).toEqual([11]);
  });

  it('know nothing of events to come', () => {
    expect(new ChangeLog(10, () => 10).since('development', 11)).toBeUndefined();
  });

  it('know nothing of what held between events that were applied together', () => {
    const log = new ChangeLog(10, () => 10);
    log.note([change(11), change(12, 'production'), change(13)]);
    expect(log.since('development', 11)).toBeUndefined();
    // There, nothing came of the rest.
    expect(ids(log.since('production', 12))).toEqual([]);
    expect(ids(log.since('development', 13))).toEqual([]);
  });

  it('are forgotten, the oldest first, when they are many', () => {
    const log = new ChangeLog(0, () => 0);
    for (let id = 1; id <= 1500; id++) log.note([change(id)]);
    expect(log.since('development', 499)).toBeUndefined();
    expect(log.since('development', 500)).toHaveLength(1000);
    expect(log.since('development', 0)).toBeUndefined();
  });
});
