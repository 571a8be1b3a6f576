import { parseExactJson } from '@yardarm/contract/long-number';
import { expect, it } from 'vitest';
import { pathsOf, pathsWithin } from './payload-paths.ts';

const payload = { job: { name: 'nightly', steps: [{ result: 'ok' }, { result: 'failed' }] }, 'a[0]': 1, none: null };

it('the places of a payload are named with a sample, and of arrays with the first element', () => {
  expect(pathsOf(payload)).toEqual([
    { path: 'job.name', sample: 'nightly', isList: false },
    { path: 'job.steps', sample: '2 elements', isList: true },
    { path: 'job.steps[0].result', sample: 'ok', isList: false },
  ]);
  expect(pathsWithin(payload, 'job.steps')).toEqual([{ path: 'result', sample: 'ok', isList: false }]);
});

it('the sample of a number with more digits than a double has all of its digits', () => {
  expect(pathsOf(parseExactJson('{"id":7421932185906577001}'))).toEqual([
    { path: 'id', sample: '7421932185906577001', isList: false },
  ]);
});

it('a payload that is no object has no places, and a long one has at most 200', () => {
  expect(pathsOf('text')).toEqual([]);
  expect(pathsOf([{ a: 1 }])).toEqual([]);
  expect(pathsOf(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])))).toHaveLength(200);
});
