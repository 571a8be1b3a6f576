import { hasFewFields, readContext, type SdkContext, tooManyFields, wrongField } from '@yardarm/contract';
import { type ReadyContext, readyContext } from '@yardarm/evaluation';
import { type EvaluationBudgets, randomSessionId } from '#features/sdks/sdk/index.ts';
import type { RequestInfo } from '#http/request.ts';
import type { SdkCaller } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { badField } from '#kernel/errors.ts';

/** The inputs of an evaluation beside flags and context. They are passed in, so that tests can set them. */
export interface EvaluationInputs {
  readonly clock: Clock;
  readonly random: () => number;
  readonly hostname: string;
  readonly budgets: EvaluationBudgets;
}

/**
 * Reads the context from a query (docs/spec#frontend-api): `properties[name]` is a property. Throws a 400 that names
 * the wrong field.
 */
export function contextOfQuery(query: Readonly<Record<string, unknown>>): SdkContext {
  const fields: [string, unknown][] = [];
  const properties: [string, unknown][] = [];
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw badField(key, 'must not be repeated');
    const property = /^properties\[(.*)\]$/s.exec(key)?.[1];
    if (property === undefined) fields.push([key, value]);
    else properties.push([property, value]);
  }
  // `properties` is set last, so that a query parameter named `properties` does not replace the properties.
  const all = { ...Object.fromEntries(fields), properties: Object.fromEntries(properties) };
  if (!hasFewFields(all)) throw badField('query', tooManyFields);
  const { context, invalid } = readContext(all);
  if (invalid[0] !== undefined) throw badField(invalid[0], wrongField);
  return context;
}

/**
 * Adds the environment, the address of the request, and a random session id where there is none
 * (docs/spec#frontend-api).
 */
export function completeContext(
  context: SdkContext,
  { environment }: SdkCaller,
  { remoteAddress }: RequestInfo,
  { clock, random, hostname, budgets }: EvaluationInputs,
): ReadyContext {
  const completed = { environment, remoteAddress, sessionId: randomSessionId(random), ...context };
  return readyContext(completed, { now: clock.now(), random, hostname, budget: budgets.forRequest() });
}
