import type { NormalizedSignal, SignalSourceName } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { type ThingKind, things } from '#testing/things.ts';
import { normalizedText, signalSources } from './index.ts';

const names = [
  ['15', '1'],
  ['1', '15'],
  ['a b', 'c'],
  ['a', 'b c'],
  ['a%20b', 'c'],
] as const;
const senders = [null, 'first', 'second', 'first/x'];

/** Returns what a source recognises of a report: of its alert, where the report is about a group. */
function recognised(source: SignalSourceName, payload: unknown, sender: string | null = null) {
  const text = normalizedText(signalSources[source], payload, () => undefined, sender);
  const { elements, ...whole } = JSON.parse(text ?? 'null') as NormalizedSignal;
  return elements[0] ?? whole;
}

const rows = Object.entries(things) as [SignalSourceName, readonly ThingKind[]][];
const kindsOf = (source: SignalSourceName) => {
  const { identity, elements } = signalSources[source].fields ?? {};
  return [...(identity?.kinds ?? []), ...(elements?.identity.kinds ?? [])];
};

describe.each(rows)('the things of %s', (source, kinds) => {
  it('are declared, each kind with its reports', () => {
    expect(kinds.length).toBe(kindsOf(source).length);
  });

  it('never share a fingerprint, across kinds, names and senders', () => {
    const owners = new Map<string, string>();
    for (const { thing, report } of kinds)
      for (const name of names)
        for (const sender of senders) {
          const { fingerprint } = recognised(source, report(name, false), sender);
          const owner = JSON.stringify([thing, name, sender]);
          expect(owners.get(`${fingerprint}`) ?? owner).toBe(owner);
          owners.set(`${fingerprint}`, owner);
        }
  });

  it.each(kinds)('keep their fingerprint and their order from the start to the end: $thing', ({ report, hasState }) => {
    for (const name of names) {
      const [first, last] = [false, true].map((isOver) => recognised(source, report(name, isOver)));
      expect(first?.fingerprint).toEqual(expect.any(String));
      expect(last?.fingerprint).toBe(first?.fingerprint);
      if (hasState === false) expect(['resolved', 'succeeded', 'failed']).not.toContain(last?.state);
      else expect([first?.state, last?.state]).toEqual(expect.arrayContaining([expect.any(String)]));
      if (hasState !== false) expect(first?.state).not.toBe(last?.state);
      // An end is never before the occurrence that it ends.
      expect(Date.parse(last?.occurredAt ?? '9999-12-31')).toBeGreaterThanOrEqual(
        Date.parse(first?.occurredAt ?? '0001-01-01'),
      );
    }
  });
});

it('the things of two sources are told apart by their endpoints, which have one source each', () => {
  expect(rows.map(([name]) => name).toSorted()).toEqual(Object.keys(signalSources).toSorted());
});
