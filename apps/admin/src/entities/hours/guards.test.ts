import { describe, expect, it } from 'vitest';
import { bodyOfGuards, draftOfGuards, guardProblems } from './guards.ts';

const none = draftOfGuards(undefined);

describe('the guards of a set', () => {
  it('are sent as they were received', () => {
    const guards = {
      cooldownSeconds: 60,
      flagsPerHour: 5,
      quorum: { signals: 3, tokens: 2, withinSeconds: 300 },
      flapping: { changes: 4, withinSeconds: 600 },
      hours: { days: ['mon' as const], from: '09:00', to: '17:00', timeZone: 'Europe/Berlin' },
    };
    expect(bodyOfGuards(draftOfGuards(guards))).toEqual(guards);
  });

  it('are off while their fields are empty', () => {
    expect(bodyOfGuards(none)).toEqual({});
    expect(guardProblems(none)).toEqual({});
  });

  it('require all their fields; a quorum defaults to one token', () => {
    expect(guardProblems({ ...none, quorumTokens: 2, flappingWithin: 60 })).toEqual({
      'guards.quorum.signals': 'Required.',
      'guards.quorum.withinSeconds': 'Required.',
      'guards.flapping.changes': 'Required.',
    });
    const quorum = { ...none, quorumSignals: 3, quorumWithin: 60 };
    expect(guardProblems(quorum)).toEqual({});
    expect(bodyOfGuards(quorum)).toEqual({ quorum: { signals: 3, tokens: 1, withinSeconds: 60 } });
  });
});
