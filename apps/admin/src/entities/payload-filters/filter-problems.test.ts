import { expect, it } from 'vitest';
import { filterProblems } from './filter-problems.ts';

const problems = {
  name: 'Is taken.',
  'match.payload.alert': 'Must be a path.',
  'match.payload.alert.status.values.0': 'Must not be empty.',
  'match.payload.alert.status.operator': 'Is no operator.',
  'match.payload.load.value': 'Must be a number.',
};

it.each([
  ['alert', { path: 'Must be a path.' }],
  ['alert.status', { values: 'Must not be empty.', operator: 'Is no operator.' }],
  ['load', { value: 'Must be a number.' }],
  ['alert.st', {}],
  ['elsewhere', {}],
])('errors of the filter of %s are assigned to its fields', (path, expected) => {
  expect(filterProblems(path, problems)).toEqual(expected);
});
