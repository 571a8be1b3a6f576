import { expect, test } from 'vitest';
import { z } from 'zod';
import { anyList, anyTexts, jsonColumn } from './json-column.ts';

const names = jsonColumn<readonly string[]>('feature_dependencies.variants', z.array(z.string()));

test('a value is read as it was written', () => {
  expect(names.parse(names.write(['blue', 'green']), 'child')).toEqual(['blue', 'green']);
});

test('unknown members and the order of keys are kept', () => {
  const column = jsonColumn<{ a: number }>('settings.content', z.object({ a: z.number() }));
  expect(JSON.stringify(column.parse('{"b":2,"a":1}', 'x'))).toBe('{"b":2,"a":1}');
});

test('a value of another shape is refused with the column, the row and the path', () => {
  expect(() => names.parse('["blue",7]', 'child')).toThrow(
    'The column feature_dependencies.variants of the row child is damaged: 1: Invalid input: expected string, received number.',
  );
});

test('a text that is not JSON is refused without quoting it', () => {
  expect(() => names.parse('["secret', 'child')).toThrow(
    'The column feature_dependencies.variants of the row child is damaged: it is not JSON.',
  );
});

test('columns of which only the outermost value is checked refuse other kinds of values', () => {
  const list = jsonColumn('feature_dependencies.variants', anyList<unknown>());
  const texts = jsonColumn('feature_strategies.parameters', anyTexts);
  expect(list.parse('[7,"blue"]', 'x')).toEqual([7, 'blue']);
  expect(texts.parse('{"rollout":"50"}', 'x')).toEqual({ rollout: '50' });
  for (const text of ['{}', '"a"', 'null']) expect(() => list.parse(text, 'x')).toThrow('expected array');
  for (const text of ['[]', '"a"', 'null', '7']) expect(() => texts.parse(text, 'x')).toThrow('expected object');
});
