import { type EvaluationContext, readyContext } from '@yardarm/evaluation';

/** A strategy, or a segment, which has constraints only. */
interface Compared {
  readonly name?: string;
  readonly constraints: readonly { readonly contextName: string }[];
}

/** The context field that a strategy compares with a list of values, by strategy name. */
const listedField: Readonly<Record<string, string>> = { userWithId: 'userId', remoteAddress: 'remoteAddress' };

/**
 * Returns the context fields that are compared with values and that no context has, sorted by name. Every context has
 * `environment` and `currentTime`. For a sample, pass no contexts: constraints do not name the ids of sampled users.
 */
export function missingFields(compared: readonly Compared[], contexts: readonly EvaluationContext[]): string[] {
  const fields = new Set(
    compared.flatMap(({ name = '', constraints }) => [
      ...(listedField[name] === undefined ? [] : [listedField[name]]),
      ...constraints.map(({ contextName }) => contextName),
    ]),
  );
  for (const name of ['environment', 'currentTime']) fields.delete(name);
  for (const context of contexts) {
    for (const name of readyContext(context, { now: 0, random: () => 0 }).values.keys()) fields.delete(name);
  }
  return [...fields].toSorted();
}
