import { describe, expect, it } from 'vitest';
import { type Change, gapMs, groupIncidents } from './grouping.ts';

let ids = 0;
/** Returns a change of a run at a time. */
const changeAt = (at: number, more: Partial<Change> = {}): Change => ({
  ...{ id: ++ids, at, type: 'feature-environment-disabled', project: 'p', featureName: `flag-${ids}` },
  ...{ environment: 'production', signalId: ids, runId: ids, holdId: null, holdPlacedAt: null, ...more },
});
const timesOf = (changes: readonly Change[], held = new Set<number>()) =>
  groupIncidents(changes, held).map((incident) => incident.changes.map(({ at }) => at));

describe('changes without holds', () => {
  it('belong to one incident while each comes at most the gap after the one before', () => {
    const times = [0, gapMs, 2 * gapMs, 3 * gapMs, 4 * gapMs + 1];
    expect(timesOf(times.map((at) => changeAt(at)))).toEqual([times.slice(0, 4), times.slice(4)]);
  });

  it('belong to incidents of their own projects', () => {
    const changes = [changeAt(0), changeAt(1, { project: 'q' }), changeAt(2), changeAt(3, { project: 'q' })];
    expect(timesOf(changes)).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });
});

describe('changes of a held flag', () => {
  const hold = { holdId: 7, featureName: 'held' } as const;
  const placed = () => changeAt(0, { ...hold, type: 'feature-lease-placed', holdPlacedAt: 0 });
  const ended = (at: number, more: Partial<Change> = {}) =>
    changeAt(at, { ...hold, type: 'feature-lease-released', holdPlacedAt: 0, ...more });

  it('belong to the incident that holds it, however late; those of other flags do not', () => {
    const late = 10 * gapMs;
    const changes = [placed(), changeAt(late), changeAt(late + 1, { featureName: 'held' }), ended(late + 2)];
    expect(timesOf(changes, new Set([7]))).toEqual([[0, late + 1, late + 2], [late]]);
  });

  it('count as open only while the hold exists and has not ended', () => {
    const open = (changes: readonly Change[], held: ReadonlySet<number>) =>
      groupIncidents(changes, held).map(({ openHolds }) => openHolds);
    expect(open([placed()], new Set([7]))).toEqual([1]);
    expect(open([placed()], new Set())).toEqual([0]);
    expect(open([placed(), ended(1)], new Set([7]))).toEqual([0]);
  });

  it('belong to the incident of the hold that a person releases, however late', () => {
    const [other, late] = [changeAt(1), 10 * gapMs];
    const changes = [placed(), other, changeAt(late), ended(late + 1, { runId: null })];
    expect(timesOf(changes, new Set([7]))).toEqual([[0, 1, late + 1], [late]]);
  });

  it('without a run belong to no incident when its hold is not known', () => {
    expect(timesOf([ended(0, { runId: null })])).toEqual([]);
  });
});
