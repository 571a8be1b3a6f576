import { describe, expect, it } from 'vitest';
import type { EvaluationContext } from './context.ts';
import { readyContext } from './context.ts';
import type { Feature, Segment } from './document.ts';
import { explainStrategies } from './explain.ts';
import { compileDocument } from './flag-set.ts';
import { compileStrategy } from './strategy.ts';

const plan = { contextName: 'plan', operator: 'IN', values: ['pro'] };
const notBob = { contextName: 'userId', operator: 'IN', values: ['bob'], inverted: true };

function explain(
  feature: Partial<Feature>,
  context: EvaluationContext = {},
  more: { segments?: Segment[]; features?: Feature[]; random?: () => number } = {},
) {
  const { segments = [], features = [], random = () => 0 } = more;
  const flags = compileDocument({ segments, features: [{ name: 'f', enabled: true, ...feature }, ...features] });
  const flag = flags.get('f');
  if (flag === undefined) throw new Error('the flag is gone');
  return flags.explain(flag, readyContext(context, { now: 0, random }));
}

describe('the explanation of a flag', () => {
  it('goes down to every constraint, also behind the first that fails', () => {
    const strategies = [
      { name: 'default', constraints: [plan, notBob], segments: [1] },
      { name: 'userWithId', parameters: { userIds: 'bob' } },
    ];
    const segments = [
      { id: 1, name: 'europe', constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }] },
    ];
    const explained = explain({ strategies }, { userId: 'bob', properties: { region: 'eu' } }, { segments });
    expect(explained).toEqual({
      evaluation: { enabled: true, variant: { name: 'disabled', enabled: false } },
      dependenciesHold: true,
      result: true,
      strategies: [
        {
          result: false,
          complete: true,
          variant: null,
          constraints: [
            { source: plan, result: false },
            { source: notBob, result: false },
          ],
          segments: [
            {
              id: 1,
              name: 'europe',
              result: true,
              constraints: [{ source: segments[0]?.constraints[0], result: true }],
            },
          ],
        },
        { result: true, complete: true, variant: null, constraints: [], segments: [] },
      ],
    });
  });

  it('tells what strategies would say where the flag is off', () => {
    const explained = explain(
      { enabled: false, strategies: [{ name: 'default', constraints: [plan] }] },
      { properties: { plan: 'pro' } },
    );
    expect(explained).toMatchObject({ evaluation: { enabled: false }, result: true, strategies: [{ result: true }] });
  });

  it('says yes where there are no strategies', () => {
    expect(explain({ strategies: [] })).toMatchObject({ evaluation: { enabled: true }, result: true });
  });

  it.each([
    ['a strategy that is not built in', 'ours', true, 'unknown'],
    ['a strategy that is not built in, behind a constraint that fails', 'ours', false, false],
    ['the host it is evaluated on', 'applicationHostname', true, 'unknown'],
  ])('leaves open what depends on %s', (_, name, passes, result) => {
    const strategy = { name, parameters: { hostNames: 'here' }, constraints: [{ ...plan, inverted: passes }] };
    expect(explain({ strategies: [strategy] })).toMatchObject({
      evaluation: { enabled: false },
      result,
      strategies: [{ result, complete: false }],
    });
    expect(explain({ strategies: [strategy, { name: 'default' }] })).toMatchObject({
      evaluation: { enabled: true },
      result: true,
    });
  });

  it('says no for a segment that is gone', () => {
    const explained = explain({ strategies: [{ name: 'default', segments: [7] }] });
    expect(explained.strategies).toEqual([
      { result: false, complete: true, variant: null, constraints: [], segments: [] },
    ]);
  });

  it('names a dependency that does not hold', () => {
    const parent = { name: 'parent', enabled: false, strategies: [] };
    const explained = explain({ strategies: [], dependencies: [{ feature: 'parent' }] }, {}, { features: [parent] });
    expect(explained).toMatchObject({ evaluation: { enabled: false }, dependenciesHold: false, result: true });
  });

  it('explains the very draw that decided', () => {
    let draws = 0;
    const random = () => (draws++ % 2) * 0.99;
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'random', groupId: 'g' } }];
    const results = Array.from({ length: 20 }, () => {
      const { evaluation, result } = explain({ strategies }, {}, { random });
      expect(result).toBe(evaluation.enabled);
      return result;
    });
    expect(new Set(results)).toEqual(new Set([true, false]));
  });

  it('says which constraints were not tested because they would go over the budget', () => {
    const heavy = { contextName: 'userId', operator: 'REGEX', value: '^.{0,1000}$' };
    const strategies = [
      { name: 'default', constraints: [heavy, { ...heavy, inverted: true }, { ...heavy, value: 'x' }] },
    ];
    const explained = explain({ strategies }, { userId: 'x'.repeat(1000) });
    expect(explained).toMatchObject({ evaluation: { enabled: false }, result: false });
    expect(explained.strategies[0]?.constraints).toEqual([
      { source: heavy, result: false, overBudget: true },
      { source: { ...heavy, inverted: true }, result: false, overBudget: true },
      { source: { ...heavy, value: 'x' }, result: true },
    ]);
  });

  it('says no for a segment of which one constraint fails, and names no variant for a strategy that says no', () => {
    const region = { contextName: 'region', operator: 'IN', values: ['eu'] };
    const segments = [{ id: 1, name: 'paying in europe', constraints: [plan, region] }];
    const variants = [{ name: 'blue', weight: 1000 }];
    const strategies = [{ name: 'default', segments: [1], variants }];
    const explained = explain({ strategies }, { properties: { region: 'eu' } }, { segments });
    expect(explained.strategies).toMatchObject([
      {
        result: false,
        variant: null,
        segments: [{ result: false, constraints: [{ result: false }, { result: true }] }],
      },
    ]);
  });

  it('names the variant of the strategy that decided', () => {
    const variants = [{ name: 'blue', weight: 1000, payload: { type: 'string', value: 'x' } }];
    const variant = { name: 'blue', enabled: true, payload: { type: 'string', value: 'x' } };
    expect(explain({ strategies: [{ name: 'default', variants }] })).toMatchObject({
      evaluation: { variant },
      strategies: [{ variant }],
    });
  });
});

describe('the explanation of strategies without a flag', () => {
  it('says what each says, in their order', () => {
    const find = () => undefined;
    const strategies = [
      { name: 'userWithId', parameters: { userIds: 'bob' } },
      { name: 'default', constraints: [plan] },
    ].map((strategy) => compileStrategy(strategy, 'f', find));
    const context = readyContext({ userId: 'bob' }, { now: 0, random: () => 0 });
    expect(explainStrategies(strategies, context)).toMatchObject([
      { result: true, constraints: [] },
      { result: false, constraints: [{ source: plan, result: false }] },
    ]);
  });
});

describe('a context', () => {
  const userIn = (values: string[]) => ({
    strategies: [{ name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values }] }],
  });

  it.each<[string, EvaluationContext, string[], boolean]>([
    ['its own field comes before a property', { userId: 'a', properties: { userId: 'b' } }, ['a'], true],
    ['a property stands in for a field that is not there', { properties: { userId: 'b' } }, ['b'], true],
    ['undefined is absent', { properties: { userId: undefined } }, ['undefined'], false],
    ['a field of null is absent', { userId: null as unknown as string }, ['null'], false],
    ['a field that is undefined is absent', { userId: undefined }, ['undefined'], false],
    ['null is absent', { properties: { userId: null } }, ['null'], false],
    ['a number counts as its text', { properties: { userId: 7 } }, ['7'], true],
    ['a truth value counts as its text', { properties: { userId: true } }, ['true'], true],
  ])('%s', (_, context, values, result) => {
    expect(explain(userIn(values), context).evaluation.enabled).toBe(result);
  });

  it('takes the time of the evaluation when it has none of its own', () => {
    const since = (value: string) => ({
      strategies: [{ name: 'default', constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value }] }],
    });
    expect(explain(since('1969-12-31')).evaluation.enabled).toBe(true);
    expect(explain(since('1970-01-02')).evaluation.enabled).toBe(false);
    expect(explain(since('1970-01-02'), { currentTime: '1971-01-01' }).evaluation.enabled).toBe(true);
    expect(explain(since('1960-01-01'), { currentTime: 'soon' }).evaluation.enabled).toBe(false);
  });
});
