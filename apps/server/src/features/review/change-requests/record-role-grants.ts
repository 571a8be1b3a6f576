import { unacknowledgedUses } from '#features/flags/change-control/index.ts';
import { accountsWithPermission } from '#features/people/access/index.ts';
import { actingAccount, recordControl } from '#features/people/account-control/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db } from '#storage/tx.ts';
import { sentStates } from './request.ts';

interface Place {
  readonly project: string;
  readonly environment: string;
}

/**
 * Records for each user who may approve after a change, and could not before, that the author of the change gave the
 * role, wherever a change request or a use of break glass waits: its author must not choose who approves it. Compares
 * the permissions with those of the last commit in `committed`, so that no way to a role is left out.
 */
export function recordRoleGrants(committed: Db): BeforeCommit {
  return async (change, { events }) => {
    if (actingAccount(change) === null || !events.some((event) => touches(event, 'access-rights'))) return undefined;
    const granted = new Set<number>();
    for (const place of await waitingPlaces(change.db)) {
      const [before, after] = await Promise.all([approversIn(committed, place), approversIn(change.db, place)]);
      for (const id of after.difference(before)) granted.add(id);
    }
    if (granted.size === 0) return undefined;
    return async (tx) => {
      for (const id of granted) await recordControl(tx, id, 'role');
    };
  };
}

/** Returns where open change requests and uses of break glass wait for a second person. */
async function waitingPlaces(db: Db): Promise<readonly Place[]> {
  const requested = await db
    .selectFrom('change_requests')
    .select(['project', 'environment'])
    .distinct()
    .where('state', 'in', sentStates)
    .execute();
  const used = (await unacknowledgedUses(db)).flatMap(({ project, environments }) =>
    environments.map((environment) => ({ project, environment })),
  );
  const places = [...requested, ...used];
  return [...new Map(places.map((place) => [`${place.project} ${place.environment}`, place])).values()];
}

async function approversIn(db: Db, place: Place): Promise<ReadonlySet<number>> {
  const accounts = await accountsWithPermission(db, 'APPROVE_CHANGE_REQUEST', place);
  return new Set(accounts.filter(({ kind }) => kind === 'user').map(({ id }) => id));
}
