import { useQuery } from '@tanstack/react-query';
import type { Flag } from '../../entities/flags/flag-queries.ts';
import { flagQuery } from '../../entities/flags/flag-queries.ts';
import { describeStrategy } from '../../entities/strategies/describe-strategy.ts';
import { segmentsQuery } from '../../entities/strategies/strategy-queries.ts';

/** A value that only the server knows, such as an id, with a description for the user. */
export interface Choice {
  readonly value: string;
  readonly words: string;
}

/** The choices for action parameters that name a strategy or a variant of a flag, by the name of the parameter. */
export type FlagChoices = Readonly<Record<string, readonly Choice[]>>;

/**
 * Returns the strategies and variants of the flag and environment that an action names. Returns nothing while the flag
 * loads, and when a template takes the flag from the payload.
 */
export function useFlagChoices(projectId: string, params: Readonly<Record<string, string>>): FlagChoices {
  const { featureName = '', environment = '' } = params;
  const named = featureName !== '' && !featureName.includes('{{');
  const { data } = useQuery({ ...flagQuery({ projectId, featureName }), enabled: named });
  const { data: segments = [] } = useQuery({ ...segmentsQuery, enabled: named });
  return named && data !== undefined ? choicesOf(data, environment, segments) : {};
}

/** Returns the strategies of a flag in an environment, described in words, and its variants. */
export function choicesOf(
  { environments }: Pick<Flag, 'environments'>,
  environment: string,
  segments: readonly { readonly id: number; readonly name: string }[],
): FlagChoices {
  const named = new Map(segments.map(({ id, name }) => [id, name]));
  const own = environments.filter(({ name }) => name === environment);
  const strategies = own.flatMap((flag) => flag.strategies ?? []);
  const variants = [...strategies, ...own].flatMap((holder) => holder.variants ?? []);
  return {
    strategyId: strategies.map(({ title, ...strategy }) => ({
      value: strategy.id,
      words: [
        title,
        describeStrategy({ ...strategy, segments: strategy.segments.map((id) => named.get(id) ?? `${id}`) }),
      ]
        .filter(Boolean)
        .join(': '),
    })),
    variant: [...new Set(variants.map(({ name }) => name))].map((name) => ({ value: name, words: name })),
  };
}
