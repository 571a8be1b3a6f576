import { describe, expect, it } from 'vitest';
import { type Change, Grouping, gapMs, type OpenIncident } from './grouping.ts';

let ids = 0;
/** Returns a change of a run at a time. */
const changeAt = (at: number, more: Partial<Change> = {}): Change => ({
  ...{ id: ++ids, at, part: 'begins', project: 'p', featureName: `flag-${ids}` },
  ...{ runId: ids, groupId: `group-${ids}`, holdId: null, endsHold: false, ...more },
});

/** Groups changes in parts of one, as a restart between two changes would. Returns the incidents and their times. */
function grouped(changes: readonly Change[]) {
  const incidents = new Map<number, { readonly incident: OpenIncident; readonly times: number[] }>();
  for (const change of changes) {
    const known = [...incidents.values()].map(({ incident }) => structuredClone(incident));
    const incident = new Grouping(known).add(change);
    for (const each of known) Object.assign(incidents.get(each.id)?.incident ?? {}, each);
    if (incident === undefined) continue;
    const times = [...(incidents.get(incident.id)?.times ?? []), change.at];
    incidents.set(incident.id, { incident, times });
  }
  return [...incidents.values()];
}
const timesOf = (changes: readonly Change[]) => grouped(changes).map(({ times }) => times);

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

  it('that only join begin no incident, and belong to one that names their flag and is not over', () => {
    const joins = (at: number, featureName: string) => changeAt(at, { part: 'joins', featureName, runId: null });
    const flag = { featureName: 'own' };
    const changes = [joins(0, 'own'), changeAt(1, flag), joins(2, 'other'), joins(3, 'own'), joins(4 + gapMs, 'own')];
    expect(timesOf(changes)).toEqual([[1, 3]]);
  });
});

describe('changes of a held flag', () => {
  const hold = { holdId: 7, featureName: 'held' } as const;
  const placed = () => changeAt(0, hold);
  const ended = (at: number, more: Partial<Change> = {}) =>
    changeAt(at, { ...hold, part: 'of its hold', endsHold: true, runId: null, ...more });

  it('belong to the incident that holds it, however late; those of other flags do not', () => {
    const late = 10 * gapMs;
    const release = ended(late + 2, { part: 'begins', runId: 99 });
    const changes = [placed(), changeAt(late), changeAt(late + 1, { featureName: 'held' }), release];
    expect(timesOf(changes)).toEqual([[0, late + 1, late + 2], [late]]);
  });

  it('hold it until it is released, or is deleted', () => {
    const open = (changes: readonly Change[]) => grouped(changes).map(({ incident: { holds } }) => holds.size);
    expect(open([placed()])).toEqual([1]);
    expect(open([placed(), ended(1)])).toEqual([0]);
    expect(open([placed(), changeAt(1, { part: 'forgets', featureName: 'other' })])).toEqual([1]);
    expect(open([placed(), changeAt(1, { part: 'forgets', featureName: 'held' })])).toEqual([0]);
  });

  it('belong to the incident of the hold that a person releases, however late', () => {
    const [other, late] = [changeAt(1), 10 * gapMs];
    expect(timesOf([placed(), other, changeAt(late), ended(late + 1)])).toEqual([[0, 1, late + 1], [late]]);
  });

  it('belong together when one transaction ends its hold and changes its state, however late', () => {
    const late = 10 * gapMs;
    const follows = changeAt(late, { part: 'joins', featureName: 'held', runId: null, groupId: 'expiry' });
    expect(timesOf([placed(), ended(late, { groupId: 'expiry' }), follows])).toEqual([[0, late, late]]);
  });

  it('belong to no incident when they end a hold that is not known', () => {
    expect(timesOf([ended(0)])).toEqual([]);
  });
});
