import type { Author } from '../../../kernel/actor.ts';
import { Problem } from '../../../kernel/errors.ts';
import type { Tx } from '../../../storage/tx.ts';
import { tagsByFeature } from '../../flags/index.ts';
import { type Did, findKind, type KindLimits } from '../kinds/index.ts';
import { isTemplate, type NamedRun, render } from '../matching/index.ts';
import type { Action, ActionSet } from '../sets/index.ts';

/** Values for the templates of a run. */
export interface Filling {
  readonly payload: unknown;
  readonly run: NamedRun;
}

/**
 * Does one action with what the payload says: the same command, refusals and events as the direct call. Throws a Problem that
 * tells why it cannot be done. Answers what there is to say of it, if anything.
 */
export async function doAction(
  tx: Tx,
  limits: KindLimits,
  set: ActionSet,
  { action, executionParams }: Action,
  filling: Filling,
): Promise<Did | undefined> {
  const kind = findKind(action);
  if (kind === undefined) throw new Problem('BadDataError', `There is no action ${action}.`);
  const { data: params, error } = kind.schema.safeParse(renderedParameters({ action, executionParams }, filling));
  if (params === undefined) {
    const [issue] = error?.issues ?? [];
    throw new Problem('BadDataError', `The parameter ${issue?.path.join('.')} is wrong: ${issue?.message}`);
  }
  for (const [name, value] of Object.entries(executionParams))
    if (isTemplate(value)) await requireAllowed(tx, set, name, String(params[name]));
  const environment = typeof params['environment'] === 'string' ? params['environment'] : undefined;
  requirePermission(tx.by, kind.permission, { project: set.project, environment });
  return kind.run(tx, params, limits);
}

/** Parameters with what the payload and the run have. A 400 that names the path at which it has nothing. */
export function renderedParameters(
  { action, executionParams }: Pick<Action, 'action' | 'executionParams'>,
  filling: Filling,
): Record<string, unknown> {
  const quote = findKind(action)?.outbound?.quote;
  const rendered = Object.entries(executionParams).map(([name, value]) => [
    name,
    isTemplate(value) ? render(value, filling, quote?.(name, executionParams)) : value,
  ]);
  return Object.fromEntries(rendered) as Record<string, unknown>;
}

/** An action with {@link renderedParameters}; where the payload lacks something the templates stay. */
export function filledIn<A extends Pick<Action, 'action' | 'executionParams'>>(action: A, filling: Filling): A {
  try {
    return { ...action, executionParams: renderedParameters(action, filling) };
  } catch (error) {
    if (error instanceof Problem) return action;
    throw error;
  }
}

function requirePermission(
  { actor, can = () => false }: Author,
  permission: string,
  scope: { readonly project: string; readonly environment: string | undefined },
): void {
  if (can(permission, scope)) return;
  const where = scope.environment === undefined ? '' : ` in ${scope.environment}`;
  throw new Problem('PermissionError', `${actor.name} lacks the permission ${permission}${where}.`);
}

/** What comes from a payload may only name what the set says it may: whoever sends signals must not choose among all flags. */
async function requireAllowed({ db }: Tx, { allow }: ActionSet, name: string, value: string): Promise<void> {
  const { flags, tags, environments } = allow ?? { flags: [], tags: [], environments: [] };
  if (name === 'environment' && !environments.includes(value)) throw notAllowed('environment', value);
  if (name === 'tag' && !tags.includes(value)) throw notAllowed('tag', value);
  if (name !== 'featureName' || flags.includes('*') || flags.includes(value)) return;
  const borne = tags.length === 0 ? [] : ((await tagsByFeature(db, [value])).get(value) ?? []);
  if (!borne.some((tag) => tags.includes(`${tag.type}:${tag.value}`))) throw notAllowed('flag', value);
}

function notAllowed(what: string, value: string): Problem {
  return new Problem(
    'BadDataError',
    `The payload names the ${what} ${value.slice(0, 100)}, which is not among those allowed.`,
  );
}
