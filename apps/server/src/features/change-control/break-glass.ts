import { breakGlassHeader, breakGlassPermission, type EventType, eventLabels } from '@yardarm/contract';
import type { Author } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import { isoTime } from '../../kernel/clock.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import type { Db, NewEvent, Tx } from '../../storage/tx.ts';
import {
  type BreakGlassUse,
  type BypassingChange,
  findUse,
  insertUse,
  openUses,
  putAcknowledged,
} from './break-glass-store.ts';
import type { ReviewedEnvironment } from './store.ts';

const longestReason = 1000;
const mostChanges = 50;
const mostListed = 200;

export type Place = Pick<ReviewedEnvironment, 'project' | 'environment'>;

/** Whether an author may break glass in all of these environments. */
export function mayBreakGlass({ can }: Pick<Author, 'can'>, places: readonly Place[]): boolean {
  return places.every(({ project, environment }) => can?.(breakGlassPermission, { project, environment }) === true);
}

/**
 * Notes that a change goes through without review, for a reason: a use and an event for each project, which are part of
 * the change. 400 when the reason is empty or too long.
 */
export async function breakGlass(tx: Tx, places: readonly Place[], events: readonly NewEvent[]): Promise<void> {
  const reason = reasonOf(tx.by.breakGlassReason ?? '');
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

/** Returns the uses that nobody has acknowledged, of those that the caller may acknowledge or has made. */
export async function listUses(db: Db, caller: Identity) {
  const uses = (await openUses(db)).filter((use) => isOwn(use, caller) || mayApprove(use, caller));
  return uses.slice(0, mostListed).map((use) => ({
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

/**
 * Takes a use off the list. 404 for a use that the caller may not see, 403 unless the caller is another person than the
 * one who broke glass, 409 when somebody has acknowledged it already.
 */
export async function acknowledgeUse(tx: Tx, id: number, caller: Identity): Promise<void> {
  const use = await findUse(tx.db, id);
  if (use === undefined || !(isOwn(use, caller) || mayApprove(use, caller))) {
    throw new Problem('NotFoundError', `There is no use of break-glass ${id}.`);
  }
  // An administrator's token can be made by whoever broke glass, so tokens of their own do not count as somebody else.
  if (isOwn(use, caller) || caller.kind !== 'user') {
    throw new Problem(
      'OperationDeniedError',
      `A person other than ${use.by.name}, who broke glass, must acknowledge it.`,
    );
  }
  if (use.acknowledged) throw new Problem('ConflictError', `The use of break-glass ${id} is acknowledged already.`);
  await putAcknowledged(tx, id);
  const { project, environments } = use;
  const environment = environments.length === 1 ? (environments[0] ?? null) : null;
  tx.record({ type: 'break-glass-acknowledged', project, environment, data: { id, usedBy: use.by.name } });
}

function isOwn({ by }: BreakGlassUse, { actor }: Identity): boolean {
  return by.userId === actor.userId;
}

function mayApprove({ project, environments }: BreakGlassUse, caller: Identity): boolean {
  if (caller.hidden.has(project)) return false;
  return environments.every((environment) => caller.can('APPROVE_CHANGE_REQUEST', { project, environment }));
}

/** The reason as people read it; headers hold ASCII only, so it comes percent-encoded. */
function reasonOf(encoded: string): string {
  const reason = decoded(encoded)?.trim() ?? '';
  if (reason !== '' && reason.length <= longestReason) return reason;
  throw badField(
    breakGlassHeader,
    `must be a reason of 1 to ${longestReason} characters, percent-encoded as encodeURIComponent does`,
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** What a change does in a project, or to segments of all projects. */
function changesIn(project: string, events: readonly NewEvent[]): BypassingChange[] {
  const isAbout = (event: NewEvent) => {
    const { oldProject } = (event.data ?? {}) as { readonly oldProject?: unknown };
    const { project: before } = (event.preData ?? {}) as { readonly project?: unknown };
    return [event.project ?? null, oldProject, before].some((one) => one === project || one === null);
  };
  return events
    .filter(isAbout)
    .slice(0, mostChanges)
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
