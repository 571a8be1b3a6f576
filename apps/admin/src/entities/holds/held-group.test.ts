import { describe, expect, it } from 'vitest';
import { firstOf, groupHolds } from './held-group.ts';
import type { Held } from './now-queries.ts';

const at = (minute: number) => new Date(minute * 60_000).toISOString();
const held = (hold: Partial<Held>): Held => ({
  id: 1,
  effect: 'off',
  rollout: null,
  milestone: null,
  heldBy: { kind: 'run', key: 'a', runId: 1, actionSetId: 1, userId: 1, name: 'robot' },
  reason: null,
  placedAt: at(0),
  expiresAt: at(60),
  onExpiry: 'release',
  actionSetName: 'Shed load',
  project: 'default',
  featureName: 'checkout',
  environment: 'production',
  inForce: false,
  configuredOn: true,
  afterRelease: null,
  ...hold,
});

describe('groups of holds', () => {
  it('has one group for each flag and environment, with the oldest start and the latest end', () => {
    const holds = [
      held({ id: 3, placedAt: at(3), expiresAt: at(63), reason: 'DiskFull' }),
      held({ id: 4, featureName: 'search', placedAt: at(2) }),
      held({ id: 5, environment: 'development', placedAt: at(2) }),
      held({ id: 1, placedAt: at(1), expiresAt: at(61), reason: 'HighLatency', inForce: true }),
      held({ id: 2, placedAt: at(2), expiresAt: at(62), reason: 'DiskFull', actionSetName: null }),
    ];
    const [first, ...others] = groupHolds(holds);
    expect(first).toMatchObject({
      holds: [{ id: 1 }, { id: 3 }, { id: 2 }],
      inForce: { id: 1 },
      since: at(1),
      last: { id: 3 },
      holders: ['Shed load', 'robot'],
      reasons: ['DiskFull', 'HighLatency'],
    });
    expect(others.map(({ key, inForce }) => [key, inForce])).toEqual([
      ['production/search', undefined],
      ['development/checkout', undefined],
    ]);
  });

  it.each([
    ['a hold without an end', { expiresAt: null }],
    ['a hold that is kept after its end', { expiresAt: at(30), onExpiry: 'keep' as const }],
  ])('takes %s for the last', (_name, end) => {
    const [group] = groupHolds([held({ id: 1 }), held({ id: 2, ...end }), held({ id: 3 })]);
    expect(group?.last.id).toBe(2);
  });

  it('names the first of a list', () => {
    expect(firstOf(['a', 'b', 'c'])).toBe('a, b, c');
    expect(firstOf(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
  });
});
