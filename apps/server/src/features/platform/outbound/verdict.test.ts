import { expect, it } from 'vitest';
import { verdictOf } from './verdict.ts';

const answered = (status: number) => ({ status, answer: '' });

it.each([
  ['retry', 'retry', [408, 409, 425, 429, 500, 502, 503, 504, 599]],
  ['refused', 'refused', [400, 413, 415, 422]],
  ['gone', 'refused', [410]],
  ['retry', 'refused', [101, 301, 302, 401, 403, 404, 405, 406, 414, 431, 451]],
  ['delivered', 'delivered', [200, 201, 202, 204, 299]],
] as const)('an integration is to %s, a call is to %s, after %j', (integration, call, statuses) => {
  for (const status of statuses) {
    expect([status, verdictOf(answered(status), 'integration')]).toEqual([status, integration]);
    expect([status, verdictOf(answered(status), 'call')]).toEqual([status, call]);
  }
});

it('a message without an answer is repeated, and one that cannot be sent is not', () => {
  expect(verdictOf({ failure: 'The receiver did not answer in time.' }, 'call')).toBe('retry');
  expect(verdictOf({ failure: 'The host has a private address.', refused: true }, 'integration')).toBe('refused');
  expect(verdictOf({ failure: 'Slack answered with an error: msg_too_long.', final: true }, 'integration')).toBe(
    'refused',
  );
  expect(verdictOf({ delivered: 'The server took it.' }, 'integration')).toBe('delivered');
});
