import { describe, expect, it } from 'vitest';
import { readyContext } from './context.ts';
import type { ClientDocument, Constraint, Feature, Strategy } from './document.ts';
import { compileDocument } from './flag-set.ts';

/** More evaluations than the number after which a set builds its index. */
const manyTimes = 60;

/** Returns a generator of pseudorandom numbers (Park and Miller), so that the test is the same each time. */
function chance(seed: number) {
  return (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
}

const words = ['a', 'b', 'c', 'd', 'e', ''];

/** Returns random flags whose constraints, segments and dependencies use a few fields and values. */
function drawnDocument(seed: number): ClientDocument {
  const draw = chance(seed);
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: draw(most + 1) }, make);
  const word = () => words[draw(words.length)] as string;
  const constraint = (): Constraint => ({
    contextName: ['userId', 'appName', 'country', 'plan'][draw(4)] as string,
    operator: ['IN', 'IN', 'IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_CONTAINS', 'NO_SUCH'][draw(7)] as string,
    values: some(4, word),
    inverted: draw(5) === 0,
    caseInsensitive: draw(5) === 0,
  });
  const strategy = (): Strategy => ({
    name: ['default', 'flexibleRollout', 'userWithId', 'unknown'][draw(4)] as string,
    parameters: { rollout: String(draw(101)), stickiness: 'userId', groupId: word(), userIds: `${word()},${word()}` },
    constraints: some(3, constraint),
    segments: some(2, () => draw(7)),
    variants: some(2, () => ({ name: word(), weight: 500 })),
  });
  const names = Array.from({ length: 40 }, (_, index) => `flag-${index}`);
  return {
    features: names.map(
      (name): Feature => ({
        name,
        enabled: draw(6) > 0,
        strategies: some(3, strategy),
        variants: some(2, () => ({ name: word(), weight: 1 })),
        dependencies: draw(5) === 0 ? [{ feature: names[draw(40)] as string, enabled: draw(2) === 0 }] : [],
      }),
    ),
    // Strategies refer to seven segments, of which one is missing.
    segments: Array.from({ length: 6 }, (_, id) => ({ id, constraints: some(2, constraint) })),
  };
}

describe('the flags of a set', () => {
  it('are the same evaluated all together, often, as each by itself', () => {
    let on = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const set = compileDocument(drawnDocument(seed));
      const draw = chance(seed + 1000);
      const field = () => [undefined, ...words.map((word) => word.toUpperCase()), ...words][draw(13)];
      for (let time = 0; time < manyTimes; time++) {
        const properties = { country: field(), plan: field() };
        const context = readyContext(
          { userId: field(), appName: field(), sessionId: 's', properties },
          { now: 0, random: () => 0.5 },
        );
        const evaluate = set.evaluator(context);
        const together = set.all.map((compiledFlag) => evaluate(compiledFlag));
        expect(together).toEqual(set.all.map(({ flag }) => set.evaluate(flag, context)));
        on += together.filter(({ enabled }) => enabled).length;
      }
    }
    expect(on).toBeGreaterThan(1000);
  });

  it('are off where a list of the same field twice holds only once', () => {
    const list = (...values: string[]) => ({ contextName: 'userId', operator: 'IN', values });
    const strategies = [{ name: 'default', constraints: [list('a', 'b', 'b'), list('b', 'c')] }];
    const set = compileDocument({ features: [{ name: 'flag', enabled: true, strategies }] });
    const isOn = (userId: string) => {
      const evaluate = set.evaluator(readyContext({ userId }, { now: 0, random: () => 0 }));
      return set.all.map((compiledFlag) => evaluate(compiledFlag).enabled);
    };
    for (let time = 0; time < manyTimes; time++) isOn('a');
    expect(['a', 'b', 'c'].map(isOn)).toEqual([[false], [true], [false]]);
  });
});
