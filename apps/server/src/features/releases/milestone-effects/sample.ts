import type { EvaluationContext } from '@yardarm/evaluation';

const sampleSize = 1000;

/** The parts of a strategy, or of a flag with variants, that say which context field decides. */
interface Sticky {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly variants: readonly { readonly stickiness: string }[];
}

/**
 * Returns contexts of 1,000 users who do not exist, the same each time. Their id is also the value of each field that
 * percentages or variants depend on.
 */
export function sampleContexts(stickies: readonly Sticky[]): EvaluationContext[] {
  const fields = new Set(
    stickies.flatMap(({ parameters, variants }) => [
      parameters?.['stickiness'] ?? '',
      ...variants.map(({ stickiness }) => stickiness),
    ]),
  );
  for (const name of ['', 'default', 'random', 'userId', 'sessionId']) fields.delete(name);
  return Array.from({ length: sampleSize }, (_, index) => {
    const id = `sample-${index + 1}`;
    const own = { userId: id, sessionId: id };
    return fields.size === 0 ? own : { ...own, properties: Object.fromEntries([...fields].map((name) => [name, id])) };
  });
}

/**
 * Returns a source of random numbers that can be replayed, so that strategies with random stickiness see the same
 * numbers before and after a change.
 */
export function replayable(random: () => number): { readonly replay: () => () => number } {
  const numbers: number[] = [];
  return {
    replay: () => {
      let at = 0;
      return () => {
        numbers[at] ??= random();
        return numbers[at++] as number;
      };
    },
  };
}
