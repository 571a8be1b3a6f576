import { expect, it } from 'vitest';
import { filledSample } from './send-sample.ts';

it('a sample gets its times and an id', () => {
  const values = { startedAt: '2026-11-22T12:00:00.000Z', now: '2026-11-22T12:05:00.000Z', id: 'one' };
  const sample = { id: '{id}', alerts: [{ startsAt: '{startedAt}', endsAt: '{now}', text: '{other}' }] };
  expect(filledSample(sample, values)).toEqual({
    id: 'one',
    alerts: [{ startsAt: values.startedAt, endsAt: values.now, text: '{other}' }],
  });
});
