import { Problem } from '#kernel/errors.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db } from '#storage/tx.ts';
import type { ActionSet } from './action-set.ts';
import { enabledSets } from './store.ts';

/** The number of sets that a refusal names. */
const maxNamed = 5;

/**
 * Rejects a change with 409 when enabled action sets need what it removes: their service account, signal endpoint or
 * environment, or the expected signals of an endpoint whose silence triggers them. Otherwise these sets would fail or
 * never run, which people would notice only at the next alert.
 */
export const keepWhatActionsNeed: BeforeCommit = async ({ db }, { events }) => {
  for (const { type, preData, data, project, environment } of events) {
    const { id, name } = (preData ?? {}) as { readonly id?: number; readonly name?: string };
    if (type === 'service-account-deleted')
      await refuseIfNeeded(db, `The service account ${name ?? id} runs`, (set) => set.actorId === id);
    else if (type === 'signal-endpoint-deleted')
      await refuseIfNeeded(db, `The signals of the endpoint ${name ?? id} trigger`, (set) => set.endpointId === id);
    else if (type === 'signal-endpoint-updated' && expects(preData) && !expects(data))
      await refuseIfNeeded(
        db,
        `The silence of the endpoint ${name ?? id} triggers`,
        (set) => set.endpointId === id && set.trigger === 'silence',
      );
    else if (type === 'environment-deleted' && environment != null)
      await refuseIfNeeded(db, `The environment ${environment} is used by`, (set) => usesEnvironment(set, environment));
    else if (type === 'project-environment-removed' && environment != null)
      await refuseIfNeeded(
        db,
        `The environment ${environment} of the project ${project} is used by`,
        (set) => set.project === project && usesEnvironment(set, environment),
      );
  }
  return undefined;
};

/** Returns whether recorded data of an endpoint says that it expects signals. */
function expects(data: unknown): boolean {
  return (data as { readonly expectedMinutes?: number | null } | null)?.expectedMinutes != null;
}

function usesEnvironment({ actions, allow }: ActionSet, environment: string): boolean {
  return (
    actions.some(({ executionParams }) => executionParams['environment'] === environment) ||
    allow?.environments.includes(environment) === true
  );
}

async function refuseIfNeeded(db: Db, what: string, needs: (set: ActionSet) => boolean): Promise<void> {
  const sets = (await enabledSets(db)).filter(needs);
  if (sets.length === 0) return;
  const named = sets.slice(0, maxNamed).map(({ name, project }) => `${name} (project ${project})`);
  const more = sets.length > maxNamed ? ` and ${sets.length - maxNamed} more` : '';
  throw new Problem(
    'ConflictError',
    `${what} the enabled actions ${named.join(', ')}${more}. Disable or change them first.`,
  );
}
