import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { roomsIn, whyUnmutated } from './rooms.ts';
import { inTurn, readScores } from './score-file.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = roomsIn(root);

it('has each file of the server in one room, or a reason why it is not mutated', () => {
  const files = ['apps/server/src/**/*.ts', 'packages/evaluation/src/*.ts'].flatMap((glob) =>
    globSync(glob, { cwd: root }),
  );
  const mutated = Object.entries(rooms)
    .filter(([name]) => name !== 'interface')
    .flatMap(([, { mutate }]) => mutate);
  expect(mutated.length).toBeGreaterThan(500);
  expect(mutated.toSorted()).toEqual(files.filter((file) => whyUnmutated(file) === undefined).sort());
});

it('has the rules of the interface in a room, without what draws, asks the server or reads the page', () => {
  expect(rooms.interface?.mutate).toContain('apps/admin/src/features/variants/weights.ts');
  expect(rooms.interface?.mutate).not.toContain('apps/admin/src/lib/api.ts');
});

it.each(Object.entries(rooms))('has tests for room %s', (_, { tests }) => {
  expect(tests.flatMap((glob) => globSync(glob, { cwd: root }))).not.toEqual([]);
});

it('keeps scores of rooms that exist', () => {
  expect(Object.keys(rooms)).toEqual(expect.arrayContaining(Object.keys(readScores())));
});

it('gives rooms their turn: those never measured first, then the longest ago', () => {
  const scores = { a: { date: '2026-11-20' }, b: { date: '2026-11-02' }, c: { date: '2026-11-20' } };
  expect(inTurn(['a', 'b', 'c', 'd'], scores)).toEqual(['d', 'b', 'a', 'c']);
});
