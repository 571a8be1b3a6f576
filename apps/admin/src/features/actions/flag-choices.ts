import { useQuery } from '@tanstack/react-query';
import { type Flag, flagQuery } from '../flags/flag-queries.ts';
import { strategyInWords } from '../strategies/in-words.ts';
import { segmentsQuery } from '../strategies/strategy-queries.ts';

/** Something that a parameter can name by what only the server knows, and what a person calls it. */
export interface Choice {
  readonly value: string;
  readonly words: string;
}

/** The parameters of an action that name something of a flag, with what there is to name. */
export type FlagChoices = Readonly<Record<string, readonly Choice[]>>;

/** What the flag and environment that an action names have; nothing while they are not there, or come from the payload. */
export function useFlagChoices(projectId: string, params: Readonly<Record<string, string>>): FlagChoices {
  const { featureName = '', environment = '' } = params;
  const named = featureName !== '' && !featureName.includes('{{');
  const { data } = useQuery({ ...flagQuery({ projectId, featureName }), enabled: named });
  const { data: segments = [] } = useQuery({ ...segmentsQuery, enabled: named });
  return named && data !== undefined ? choicesOf(data, environment, segments) : {};
}

/** The strategies of a flag by what they do, and its variants by name, in one environment. */
export function choicesOf(
  { environments }: Pick<Flag, 'environments'>,
  environment: string,
  segments: readonly { readonly id: number; readonly name: string }[],
): FlagChoices {
  const named = new Map(segments.map(({ id, name }) => [id, name]));
  const own = environments.filter(({ name }) => name === environment);
  const strategies = own.flatMap((one) => one.strategies ?? []);
  const variants = [...strategies, ...own].flatMap((holder) => holder.variants ?? []);
  return {
    strategyId: strategies.map(({ title, ...strategy }) => ({
      value: strategy.id,
      words: [
        title,
        strategyInWords({ ...strategy, segments: strategy.segments.map((id) => named.get(id) ?? `${id}`) }),
      ]
        .filter(Boolean)
        .join(': '),
    })),
    variant: [...new Set(variants.map(({ name }) => name))].map((name) => ({ value: name, words: name })),
  };
}
