import { expect, it } from 'vitest';
import { filledSample, freeTokenName } from './send-sample.ts';

it('a sample gets its times and an id', () => {
  const values = { startedAt: '2026-11-22T12:00:00.000Z', now: '2026-11-22T12:05:00.000Z', id: 'one' };
  const sample = { id: '{id}', alerts: [{ startsAt: '{startedAt}', endsAt: '{now}', text: '{other}' }] };
  expect(JSON.parse(filledSample(sample, values))).toEqual({
    id: 'one',
    alerts: [{ startsAt: values.startedAt, endsAt: values.now, text: '{other}' }],
  });
});

it('a token for test signals has a name that the endpoint does not have', () => {
  expect(freeTokenName(['prod'])).toBe('Test signals');
  expect(freeTokenName(['Test signals', 'Test signals 2'])).toBe('Test signals 3');
});
