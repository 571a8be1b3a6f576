import { expect, it } from 'vitest';
import { fieldPaths, type Reading, readShape } from './shape.ts';

const shape = { name: 'string', 'weight?': 'integer', 'note?': 'string|null', 'values?': [{ on: 'boolean' }] } as const;

function read(value: unknown): Reading {
  const reading: Reading = { served: new Set(), problems: [] };
  readShape(shape, value, 'flag', reading);
  return reading;
}

it('a value of the shape has no problems, and its fields are listed', () => {
  const { served, problems } = read({ name: 'a', note: null, values: [{ on: true }], more: 1 });
  expect(problems).toEqual([]);
  expect([...served]).toEqual(['flag.name', 'flag.values[].on']);
  expect(fieldPaths(shape, 'flag')).toEqual(['flag.name', 'flag.weight', 'flag.note', 'flag.values[].on']);
});

it.each([
  [{}, 'flag.name is missing'],
  [{ name: null }, 'flag.name: null is not string'],
  [{ name: 'a', weight: 1.5 }, 'flag.weight: 1.5 is not integer'],
  [{ name: 'a', weight: null }, 'flag.weight: null is not integer'],
  [{ name: 'a', note: 1 }, 'flag.note: 1 is not string|null'],
  [{ name: 'a', values: {} }, 'flag.values: {} is not a list'],
  [{ name: 'a', values: ['x'] }, 'flag.values[]: "x" is not an object'],
  [{ name: 'a', values: [{ on: 'yes' }] }, 'flag.values[].on: "yes" is not boolean'],
])('%j does not hold the shape', (value, problem) => {
  expect(read(value).problems).toEqual([problem]);
});
