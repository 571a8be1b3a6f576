import { describe, expect, it } from 'vitest';
import { type Change, ChangeLog } from './change-log.ts';
import { Revisions } from './revisions.ts';

const change = (id: number, environment: string | null = 'development'): Change => ({
  id,
  environment,
  flags: new Map([['a', new Set(['default'])]]),
  mayAddSegments: false,
  segment: null,
});
const development = (id: number) => ({ id, environment: 'development' });
const at = (id: number) => Revisions.after([development(id)]);
const ids = (changes: readonly Change[] | undefined) => changes?.map(({ id }) => id);

describe('ChangeLog', () => {
  it('returns the changes of an environment and of all environments after an event', () => {
    const log = new ChangeLog(10, at(10));
    for (const added of [change(11), change(12, 'production'), change(13, null), change(15)]) log.add([added]);
    expect(ids(log.since('development', 10))).toEqual([11, 13, 15]);
    expect(ids(log.since('development', 11))).toEqual([13, 15]);
    expect(ids(log.since('production', 12))).toEqual([13]);
    expect(ids(log.since('production', 15))).toEqual([]);
  });

  it('reaches back before its start only in environments that had not changed since', () => {
    const log = new ChangeLog(10, Revisions.after([development(7), { id: 3, environment: null }]));
    log.add([change(11, null)]);
    expect(log.since('development', 6)).toBeUndefined();
    expect(ids(log.since('development', 7))).toEqual([11]);
    expect(log.since('production', 2)).toBeUndefined();
    expect(ids(log.since('production', 3))).toEqual([11]);
  });

  it('returns undefined for an event that has not been added yet', () => {
    expect(new ChangeLog(10, at(10)).since('development', 11)).toBeUndefined();
  });

  it('returns undefined for an event in the middle of a batch', () => {
    const log = new ChangeLog(10, at(10));
    log.add([change(11), change(12, 'production'), change(13)]);
    expect(log.since('development', 11)).toBeUndefined();
    // The later event of the batch does not affect production.
    expect(ids(log.since('production', 12))).toEqual([]);
    expect(ids(log.since('development', 13))).toEqual([]);
  });

  it('drops the oldest changes beyond 1000', () => {
    const log = new ChangeLog(0, at(0));
    for (let id = 1; id <= 1500; id++) log.add([change(id)]);
    expect(log.since('development', 499)).toBeUndefined();
    expect(log.since('development', 500)).toHaveLength(1000);
    expect(log.since('development', 0)).toBeUndefined();
  });
});
