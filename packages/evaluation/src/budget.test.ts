import { describe, expect, it } from 'vitest';
import { EvaluationBudget } from './budget.ts';
import { readyContext } from './context.ts';
import type { Feature, Segment } from './document.ts';
import { compileDocument } from './flag-set.ts';

const regex = (value: string, more: object = {}) => ({ contextName: 'userId', operator: 'REGEX', value, ...more });
const flag = (name: string, constraints: Feature['strategies'], more: object = {}): Feature => ({
  name,
  enabled: true,
  strategies: constraints,
  ...more,
});
const strategy = (...constraints: object[]) => ({
  name: 'default',
  constraints: constraints as ReturnType<typeof regex>[],
});

/** A pattern of 10 characters when its repeat is expanded. Every text matches it. */
const small = 'x{0,10}';

function evaluated(
  features: readonly Feature[],
  userId: string,
  limits = { request: 100_000, flag: 10_000 },
  segments: readonly Segment[] = [],
) {
  let refused = 0;
  const budget = new EvaluationBudget(limits, () => refused++);
  const context = readyContext({ userId }, { now: 0, random: () => 0, budget });
  const set = compileDocument({ features, segments });
  const on = set.all.filter(({ flag }) => set.evaluate(flag, context).enabled).map(({ flag }) => flag.name);
  return { on, refused, spent: budget.spent };
}

describe('the budget of an evaluation', () => {
  it('grows with the size of the pattern and with the length of the text', () => {
    const spent = (pattern: string, length: number) =>
      evaluated([flag('f', [strategy(regex(pattern))])], 'x'.repeat(length)).spent;
    expect(spent('x{0,40}', 100) - spent('x{0,20}', 100)).toBe(20 * 100);
    expect(spent(small, 300) - spent(small, 100)).toBe(2 * (spent(small, 200) - spent(small, 100)));
  });

  it('counts a pattern that goes over it as not met, inverted or not', () => {
    const flags = [
      flag('plain', [strategy(regex(small))]),
      flag('inverted', [strategy(regex('y{1,10}', { inverted: true }))]),
    ];
    expect(evaluated(flags, 'x'.repeat(100))).toMatchObject({ on: ['plain', 'inverted'], refused: 0 });
    expect(evaluated(flags, 'x'.repeat(9900))).toMatchObject({ on: [], refused: 2, spent: 0 });
  });

  it('is of one flag, with all its strategies: a flag takes nothing from the next', () => {
    const never = strategy(regex('y{1,10}'));
    const flags = ['a', 'b', 'c'].map((name) => flag(name, [never, never, strategy(regex(small))]));
    expect(evaluated(flags, 'x'.repeat(250)).on).toEqual(['a', 'b', 'c']);
    expect(evaluated(flags, 'x'.repeat(450)).on).toEqual([]);
  });

  it('is of one flag also in a set that evaluates lists of values by an index', () => {
    const list = { contextName: 'userId', operator: 'IN', values: ['x'.repeat(250)] };
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const features = names.map((name) => flag(name, [strategy(list, regex('y{1,10}')), strategy(list, regex(small))]));
    const set = compileDocument({ features });
    const userId = 'x'.repeat(250);
    // The set builds its index after some evaluations.
    for (let time = 0; time < 60; time++) {
      const budget = new EvaluationBudget({ request: 100_000, flag: 10_000 });
      const evaluate = set.evaluator(readyContext({ userId }, { now: 0, random: () => 0, budget }));
      const on = set.all.filter((compiled) => evaluate(compiled).enabled).map(({ flag: { name } }) => name);
      expect(on).toEqual(names);
    }
  });

  it('is of one flag also where only some of its strategies search', () => {
    const nobody = { name: 'userWithId', parameters: { userIds: '' } };
    const flags = ['a', 'b', 'c'].map((name) => flag(name, [nobody, strategy(regex(small))]));
    expect(evaluated(flags, 'x'.repeat(800)).on).toEqual(['a', 'b', 'c']);
  });

  it('is of one flag also where only a constraint of a segment searches, among others that do not', () => {
    const paying = { contextName: 'plan', operator: 'NOT_IN', values: ['free'] };
    const segments = [
      { id: 1, constraints: [paying] },
      { id: 2, constraints: [paying, regex(small)] },
    ];
    const inBoth = { name: 'default', segments: [1, 2] };
    const flags = ['a', 'b', 'c'].map((name) => flag(name, [inBoth]));
    expect(evaluated(flags, 'x'.repeat(800), undefined, segments).on).toEqual(['a', 'b', 'c']);
  });

  it('of an explanation leaves the budget of later evaluations unchanged', () => {
    const budget = new EvaluationBudget({ request: 100_000, flag: 10_000 });
    const context = readyContext({ userId: 'x'.repeat(800) }, { now: 0, random: () => 0, budget });
    const set = compileDocument({ features: [flag('f', [strategy(regex(small))])] });
    const f = set.get('f');
    if (f === undefined) throw new Error('the flag is gone');
    budget.spend(1000);
    expect(set.evaluate(f, context).enabled).toBe(true);
    expect(set.explain(f, context).result).toBe(true);
    expect([budget.spend(9001), budget.spend(9000)]).toEqual([false, true]);
  });

  it('is of a parent apart from that of its child', () => {
    const flags = [
      flag('child', [strategy(regex(small))], { dependencies: [{ feature: 'parent' }] }),
      flag('parent', [strategy(regex(small))]),
    ];
    expect(evaluated(flags, 'x'.repeat(800)).on).toEqual(['child', 'parent']);
  });

  it('bounds what all flags of a request take together', () => {
    const flags = Array.from({ length: 50 }, (_, index) => flag(`f${index}`, [strategy(regex(small))]));
    const { on, refused, spent } = evaluated(flags, 'x'.repeat(800));
    expect(on).toEqual(flags.slice(0, on.length).map(({ name }) => name));
    expect(on.length + refused).toBe(50);
    expect(spent).toBeGreaterThan(90_000);
    expect(spent).toBeLessThanOrEqual(100_000);
  });

  it('counts a search for many values too', () => {
    const values = Array.from({ length: 250 }, (_, index) => `${index}`.padEnd(100, 'a'));
    const flags = [flag('f', [strategy({ contextName: 'userId', operator: 'STR_CONTAINS', values, inverted: true })])];
    expect(evaluated(flags, 'x'.repeat(30))).toMatchObject({ on: ['f'], refused: 0 });
    expect(evaluated(flags, 'x'.repeat(9900))).toMatchObject({ on: [], refused: 1 });
  });

  it('allows a search that takes exactly what is left, without a callback too', () => {
    const budget = new EvaluationBudget({ request: 15, flag: 10 });
    budget.beginFlag();
    expect([budget.spend(10), budget.spend(1)]).toEqual([true, false]);
    budget.beginFlag();
    expect([budget.spend(5), budget.spend(1)]).toEqual([true, false]);
    expect(budget.spent).toBe(15);
  });

  it('continues with the remaining budget of a flag after another flag was evaluated for it', () => {
    const budget = new EvaluationBudget({ request: 100, flag: 10 });
    expect(budget.spend(8)).toBe(true);
    const before = budget.beginFlag();
    expect(budget.spend(10)).toBe(true);
    budget.endFlag(before);
    expect([budget.spend(3), budget.spend(2)]).toEqual([false, true]);
  });
});
