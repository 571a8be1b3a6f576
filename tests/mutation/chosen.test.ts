import { expect, it } from 'vitest';
import { chosenOf, type ListedMutant } from './chosen.ts';

const mutants: readonly ListedMutant[] = Array.from({ length: 100 }, (_, index) => ({
  id: String(index),
  fileName: index < 50 ? '/root/a.ts' : '/root/b.ts',
  location: { start: { line: index % 50, column: 4 } },
}));

it('draws as many mutants as wanted, the same for the same seed and others for another', () => {
  const drawn = chosenOf(mutants, { sample: 40, seed: 'a' });
  expect(drawn.size).toBe(40);
  expect(chosenOf(mutants, { sample: 40, seed: 'a' })).toEqual(drawn);
  expect(chosenOf(mutants, { sample: 40, seed: 'b' })).not.toEqual(drawn);
  expect(chosenOf(mutants, { sample: 900, seed: 'a' }).size).toBe(100);
});

it('draws evenly over all mutants', () => {
  const times = new Map<string, number>();
  for (let seed = 0; seed < 200; seed++)
    for (const id of chosenOf(mutants, { sample: 10, seed: String(seed) })) times.set(id, (times.get(id) ?? 0) + 1);
  // Each is expected 20 times, with a standard deviation of 4.2.
  expect(Math.min(...mutants.map(({ id }) => times.get(id) ?? 0))).toBeGreaterThan(2);
  expect(Math.max(...times.values())).toBeLessThan(45);
});

it('chooses the mutants that start at a place, counted from 1', () => {
  const choice = { root: '/root/', places: ['a.ts:8:5', 'b.ts:1:5', 'b.ts:2:9'] };
  expect(chosenOf(mutants, choice)).toEqual(new Set(['7', '50']));
});
