import { expect, it } from 'vitest';
import { CommandError } from './command-error.ts';
import { readStateFile } from './state-file.ts';

const flagsOf = (...keys: readonly string[]) =>
  `version: 1\nprojects:\n  default:\n    flags:\n${keys.map((key) => `      ${key}: {}\n`).join('')}`;

function refusalOf(text: string): string {
  try {
    readStateFile('a.yaml', text);
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
  return 'accepted';
}

it.each(['1.10', '1e3', '0x10', 'null', '~', 'True'])('a flag named %s without quotes is refused', (key) => {
  expect(refusalOf(flagsOf('ok', key))).toBe(`a.yaml:6:7 the key ${key} is not text in YAML: put it in quotes`);
});

it('names in quotes, and numbers that YAML reads as they are written, are flags of that name', () => {
  const { content } = readStateFile('a.yaml', flagsOf('"1.10"', '"null"', '7', 'true', 'no', '2026-01-01'));
  const names = ['7', '1.10', 'null', 'true', 'no', '2026-01-01'];
  expect(content).toEqual({
    version: 1,
    projects: { default: { flags: Object.fromEntries(names.map((name) => [name, {}])) } },
  });
});

it.each([
  ['1', '"1"'],
  ['a', 'a'],
  ['a', "'a'"],
])('the names %s and %s in one map are refused', (one, other) => {
  expect(refusalOf(flagsOf(one, other))).toBe(`a.yaml:6:7 the key ${other} comes twice`.replace(/["'](.)["']/, '$1'));
});

it.each(['? [a, b]\n      ', '? {}\n      ', '? *a\n      '])('a key that is no text is refused: %j', (key) => {
  expect(refusalOf(`anchor: &a b\n${flagsOf(key)}`)).toContain(' is not text in YAML: put it in quotes');
});

it('an alias without an anchor, and too many aliases, are refused with the name of the file', () => {
  expect(refusalOf('version: 1\nprojects: *none\n')).toMatch(/^a\.yaml Unresolved alias .*: none$/);
  const lists = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}*a${n}]\n`);
  expect(refusalOf(`version: 1\na0: &a0 [x]\n${lists.join('')}`)).toMatch(/^a\.yaml Excessive alias count/);
});
