import type { HeldAlert } from '#features/flags/held-state/index.ts';
import { Problem } from '#kernel/errors.ts';
import { findKind } from '../../kinds/index.ts';
import { isTemplate, type RunValues, render } from '../../matching/index.ts';
import type { Action } from '../../sets/index.ts';

/** The values that templates are rendered with. */
export interface TemplateValues {
  readonly payload: unknown;
  readonly run: RunValues;
  /** The condition of actions without the parameter `key`. */
  readonly condition?: string | undefined;
  /** The alert of the run. */
  readonly alert?: HeldAlert | undefined;
  /** The values with the fingerprints of earlier versions, where they differ. */
  readonly former?: Pick<TemplateValues, 'payload' | 'condition'> | undefined;
}

/**
 * Returns the parameters of an action as its kind takes them, with rendered templates and default values. Throws a
 * Problem with the reason when they are not valid.
 */
export function parametersOf(
  { action, executionParams }: Pick<Action, 'action' | 'executionParams'>,
  values: TemplateValues,
) {
  const kind = findKind(action);
  if (kind === undefined) throw new Problem('BadDataError', `There is no action kind ${action}.`);
  const given = renderParameters({ action, executionParams }, values);
  const hasCondition = kind.parameters.some(({ name }) => name === 'key') && values.condition !== undefined;
  const { data: params, error } = kind.schema.safeParse(hasCondition ? { key: values.condition, ...given } : given);
  if (params !== undefined) return { kind, params };
  const [issue] = error?.issues ?? [];
  throw new Problem('BadDataError', `The parameter ${issue?.path.join('.')} is invalid: ${issue?.message}`);
}

/** Renders the templates of the parameters. Throws a 400 that names the path without a value. */
export function renderParameters(
  { action, executionParams }: Pick<Action, 'action' | 'executionParams'>,
  values: TemplateValues,
): Record<string, unknown> {
  const escapeFor = findKind(action)?.outbound?.escapeFor;
  const rendered = Object.entries(executionParams).map(([name, value]) => [
    name,
    isTemplate(value) ? render(value, values, escapeFor?.(name, executionParams)) : value,
  ]);
  return Object.fromEntries(rendered) as Record<string, unknown>;
}

/** Returns the action with rendered parameters, or unchanged when the payload lacks a value. */
export function renderParametersIfPossible<A extends Pick<Action, 'action' | 'executionParams'>>(
  action: A,
  values: TemplateValues,
): A {
  try {
    return { ...action, executionParams: renderParameters(action, values) };
  } catch (error) {
    if (error instanceof Problem) return action;
    throw error;
  }
}
