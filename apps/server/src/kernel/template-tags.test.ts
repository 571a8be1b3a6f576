import { describe, expect, it } from 'vitest';
import { templateTags } from './template-tags.ts';

const found = (template: string) =>
  [...templateTags(template)].map(({ inner, opened, closed }) => `${opened}${inner}${closed}`);

describe('templateTags', () => {
  it.each([
    ['no tag { a }', []],
    ['{{a}}{{ b }}', ['2a2', '2 b 2']],
    ['{{{a}}} {{b}}}', ['3a3', '2b3']],
    ['{{{{a}}', ['4a2']],
    ['{{}}', ['22']],
    ['{{a} }{{b}', []],
    ['{{a{{b}}', ['2b2']],
    ['{{a}{{b}}', ['2b2']],
    ['{{\n a.b[0]\n}}', ['2\n a.b[0]\n2']],
  ])('%j has the tags %j', (template, expected) => {
    expect(found(template)).toEqual(expected);
  });

  it.each(['{{', '{', '{{a', '{{a}', '{{ '])('takes linear time for many repetitions of %j', (piece) => {
    expect(found(piece.repeat(300_000))).toEqual([]);
    expect(found(`${piece}${' '.repeat(1_000_000)}`)).toEqual([]);
  });
});
