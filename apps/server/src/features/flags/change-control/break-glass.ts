import { breakGlassPermission, type EventType, eventLabels } from '@yardarm/contract';
import type { Author } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db, NewEvent, Tx } from '#storage/tx.ts';
import {
  type BreakGlassUse,
  type BypassingChange,
  findUse,
  insertUse,
  markAcknowledged,
  unacknowledgedUses,
} from './break-glass-store.ts';
import type { ReviewPolicy } from './review-policy.ts';
import { secondPersonProblem } from './second-person.ts';
import type { ReviewedEnvironment } from './store.ts';

const maxChanges = 50;
const maxListed = 200;

export type Place = Pick<ReviewedEnvironment, 'project' | 'environment'>;

/** Returns whether an author may break glass in all of these environments. */
export function mayBreakGlass({ can }: Pick<Author, 'can'>, places: readonly Place[]): boolean {
  return places.every(({ project, environment }) => can?.(breakGlassPermission, { project, environment }) === true);
}

/**
 * Records that a change bypasses review, with its reason: one use and one event per project, in the same transaction.
 */
export async function breakGlass(
  tx: Tx,
  reason: string,
  places: readonly Place[],
  events: readonly NewEvent[],
): Promise<void> {
  for (const [project, own] of Map.groupBy(places, (place) => place.project)) {
    const environments = own.map(({ environment }) => environment);
    const id = await insertUse(tx, { project, environments, reason, changes: changesIn(project, events) });
    tx.record({
      type: 'break-glass-used',
      project,
      environment: environments.length === 1 ? (environments[0] ?? null) : null,
      data: { id, reason, environments },
    });
  }
}

/** Returns the unacknowledged uses that the caller made or may acknowledge. */
export async function listUses(db: Db, caller: Identity) {
  const uses = (await unacknowledgedUses(db)).filter((use) => isOwn(use, caller) || mayApprove(use, caller));
  return uses.slice(0, maxListed).map((use) => ({
    id: use.id,
    project: use.project,
    environments: [...use.environments],
    reason: use.reason,
    changes: use.changes.map((change) => ({ ...change, label: eventLabels[change.type as EventType] ?? change.type })),
    createdBy: { id: use.by.userId, username: use.by.name },
    createdAt: isoTime(use.at),
    own: isOwn(use, caller),
  }));
}

/** The verdict of a second person on a use. */
export interface Acknowledgement {
  readonly verdict: 'justified' | 'not-justified';
  readonly note?: string | undefined;
}

/**
 * Acknowledges a use. Rejects with 404 when the caller may not see the use, with 403 when the caller broke glass or is
 * not a user, and with 409 when the use is acknowledged already.
 */
export async function acknowledgeUse(
  tx: Tx,
  id: number,
  { verdict, note = '' }: Acknowledgement,
  caller: Identity,
  { binding }: ReviewPolicy,
): Promise<void> {
  const use = await findUse(tx.db, id);
  if (use === undefined || !(isOwn(use, caller) || mayApprove(use, caller))) {
    throw new Problem('NotFoundError', `There is no break-glass use ${id}.`);
  }
  // Only users may acknowledge: the person who broke glass could have created the token.
  if (isOwn(use, caller) || caller.kind !== 'user') {
    throw new Problem(
      'OperationDeniedError',
      `A user other than ${use.by.name}, who broke glass, must acknowledge this use.`,
    );
  }
  const problem = binding ? await secondPersonProblem(tx.db, caller.actor, use, tx.now) : undefined;
  if (problem !== undefined) throw new Problem('OperationDeniedError', problem);
  if (use.acknowledged) throw new Problem('ConflictError', `The break-glass use ${id} is acknowledged already.`);
  await markAcknowledged(tx, id);
  const { project, environments } = use;
  const environment = environments.length === 1 ? (environments[0] ?? null) : null;
  const data = { id, usedBy: use.by.name, usedAt: isoTime(use.at), verdict, note };
  tx.record({ type: 'break-glass-acknowledged', project, environment, data });
}

function isOwn({ by }: BreakGlassUse, { actor }: Identity): boolean {
  return by.userId === actor.userId;
}

function mayApprove({ project, environments }: BreakGlassUse, caller: Identity): boolean {
  if (caller.hidden.has(project)) return false;
  return environments.every((environment) => caller.can('APPROVE_CHANGE_REQUEST', { project, environment }));
}

/** Returns the changes of a transaction in a project and to shared segments. */
function changesIn(project: string, events: readonly NewEvent[]): BypassingChange[] {
  const concernsProject = (event: NewEvent) => {
    const { oldProject } = (event.data ?? {}) as { readonly oldProject?: unknown };
    const { project: before } = (event.preData ?? {}) as { readonly project?: unknown };
    return [event.project ?? null, oldProject, before].some((affected) => affected === project || affected === null);
  };
  return events
    .filter(concernsProject)
    .slice(0, maxChanges)
    .map((event) => ({
      type: event.type,
      name: event.featureName ?? segmentNameOf(event),
      environment: event.environment ?? null,
    }));
}

function segmentNameOf({ data, preData }: NewEvent): string | null {
  const { name } = (data ?? preData ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : null;
}
