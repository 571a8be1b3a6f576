import { expect, it } from 'vitest';
import { valueNotes } from './value-notes.ts';

const plain = { values: [], inverted: false, caseInsensitive: false };
const strategy = { name: 'flexibleRollout', parameters: { rollout: '33' }, constraints: [] };

it.each([
  ['a percentage with decimals', { parameters: { rollout: '33.3' } }, '33.3 %'],
  [
    'a network of IPv6',
    { name: 'remoteAddress', parameters: { IPs: '10.0.0.0/8, 2001:db8::1, 2001:db8::/32' } },
    '2001:db8::/32: the SDK for Node',
  ],
  [
    'a date of another field',
    { constraints: [{ ...plain, contextName: 'born', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00Z' }] },
    'born',
  ],
  [
    'a list for the time',
    { constraints: [{ ...plain, contextName: 'currentTime', operator: 'IN', values: ['x'] }] },
    'currentTime',
  ],
  [
    'a date without a zone',
    { constraints: [{ ...plain, contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01' }] },
    '2026-01-01',
  ],
  [
    'a blank that counts as 0',
    { constraints: [{ ...plain, contextName: 'age', operator: 'NUM_LT', value: '18', looseNumber: true as const }] },
    'counts as 0',
  ],
])('a strategy with %s has a note', (_, more, words) => {
  expect(valueNotes({ ...strategy, ...more })).toEqual([expect.stringContaining(words)]);
});

it('a strategy that SDKs read alike has no note', () => {
  const constraints = [
    { ...plain, contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00.000Z' },
    { ...plain, contextName: 'age', operator: 'NUM_LT', value: '18' },
    { ...plain, contextName: 'x', operator: 'OF_A_NEWER_VERSION', value: '18' },
  ];
  expect(valueNotes({ ...strategy, constraints })).toEqual([]);
  const addresses = { name: 'remoteAddress', parameters: { IPs: '10.0.0.0/8, 2001:db8::1' } };
  expect(valueNotes({ ...strategy, ...addresses })).toEqual([]);
  expect(valueNotes({ ...strategy, name: 'of-ours', parameters: { rollout: '33.3' } })).toEqual([]);
});
