import { expect, it } from 'vitest';
import { encodingFor } from '#http/content-encoding.ts';
import { matchesEtag } from '#http/if-none-match.ts';
import { takesSegments } from './client-spec.ts';

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['gzip;q=0.5, identity', 'identity'],
  ['gzip;q=much', 'identity'],
  ['*', 'identity'],
])('chooses for Accept-Encoding %j the encoding %s', (header, encoding) => {
  expect(encodingFor(header, 5000)).toBe(encoding);
  expect(encodingFor(header, 5000)).toBe(encoding);
});

it('does not compress small answers', () => {
  expect(encodingFor('gzip', 1023)).toBe('identity');
  expect(encodingFor('gzip', 1024)).toBe('gzip');
});

it('matches an ETag in strong form, weak form and in a list', () => {
  expect(matchesEtag('"a:1:v1"', '"a:1:v1"')).toBe(true);
  expect(matchesEtag('W/"a:1:v1"', '"a:1:v1"')).toBe(true);
  expect(matchesEtag('"b", "a:1:v1"', '"a:1:v1"')).toBe(true);
  expect(matchesEtag('a:1:v1', '"a:1:v1"')).toBe(false);
  expect(matchesEtag(undefined, '"a:1:v1"')).toBe(false);
});

it.each([
  [undefined, false],
  ['4.1.9', false],
  ['4.2.0-beta.1', false],
  ['4.2.0', true],
  ['4.2.1-beta.1', true],
  ['5.2.0', true],
  ['10.0.0+build', true],
])('an SDK of client specification %j reads segments from a separate list: %s', (header, takes) => {
  expect(takesSegments(header)).toBe(takes);
});

it.each(['', '5', '5.2', 'v5.2.0', '05.2.0', '5.2.0.1', '5.2.0 '])(
  'ignores the malformed client specification %j',
  (header) => {
    expect(takesSegments(header)).toBe(false);
  },
);
