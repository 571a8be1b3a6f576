import { tagsByFeature } from '#features/flags/feature/index.ts';
import type { Author } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import type { ActionResult, KindLimits } from '../../kinds/index.ts';
import { isTemplate } from '../../matching/index.ts';
import type { Action, ActionSet } from '../../sets/index.ts';
import { parametersOf, type TemplateValues } from '../views/parameters.ts';

/**
 * Executes an action with the same command, checks and events as a direct API call. Throws a Problem with the reason
 * when it cannot be executed.
 */
export async function executeAction(
  tx: Tx,
  limits: KindLimits,
  set: ActionSet,
  { action, executionParams }: Action,
  values: TemplateValues,
  { renewOnly }: { readonly renewOnly: boolean } = { renewOnly: false },
): Promise<ActionResult | undefined> {
  const { kind, params } = parametersOf({ action, executionParams }, values);
  const ownHolds = set.releaseFilters !== null;
  // A set that ends only its own holds may end them all, also after the flag lost the tag that the set allows.
  const endsOwnHolds = ownHolds && kind.givesBack === true;
  for (const [name, value] of Object.entries(executionParams))
    if (isTemplate(value) && !endsOwnHolds) await requireAllowed(tx, set, name, String(params[name]));
  const environment = typeof params['environment'] === 'string' ? params['environment'] : undefined;
  requirePermission(tx.by, kind.permission, { project: set.project, environment });
  const formerKey = kind.givesBack === true ? formerKeyOf({ action, executionParams }, values) : undefined;
  const { alert } = values;
  return kind.run(tx, params, { ...limits, actionSetId: set.id, ownHolds, renewOnly, alert, formerKey });
}

/** Returns the key that an action rendered in earlier versions; undefined when it is the same or cannot be rendered. */
function formerKeyOf(action: Pick<Action, 'action' | 'executionParams'>, values: TemplateValues): string | undefined {
  if (values.former === undefined) return undefined;
  try {
    return String(parametersOf(action, { ...values, ...values.former }).params['key']);
  } catch (error) {
    if (error instanceof Problem) return undefined;
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

/** Rejects values from the payload that the set does not allow, so that a sender cannot choose among all flags. */
async function requireAllowed({ db }: Tx, { allow }: ActionSet, name: string, value: string): Promise<void> {
  const { flags, tags, environments } = allow ?? { flags: [], tags: [], environments: [] };
  if (name === 'environment' && !environments.includes(value)) throw notAllowed('environment', value);
  if (name === 'tag' && !tags.includes(value)) throw notAllowed('tag', value);
  if (name !== 'featureName' || flags.includes('*') || flags.includes(value)) return;
  const flagTags = tags.length === 0 ? [] : ((await tagsByFeature(db, [value])).get(value) ?? []);
  if (!flagTags.some((tag) => tags.includes(`${tag.type}:${tag.value}`))) throw notAllowed('flag', value);
}

function notAllowed(what: string, value: string): Problem {
  return new Problem(
    'BadDataError',
    `The payload names the ${what} ${value.slice(0, 100)}, which the action set does not allow.`,
  );
}
