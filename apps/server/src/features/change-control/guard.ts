import { breakGlassHeader, breakGlassPermission } from '@yardarm/contract';
import { type Author, systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db, NewEvent } from '../../storage/tx.ts';
import type { BeforeCommit } from '../../storage/commit/write.ts';
import { breakGlass, mayBreakGlass } from './break-glass.ts';
import { holdsOff, reachOf } from './reach.ts';
import { parentsTurningOn, type ReviewedEnvironment, reviewedOrLost, reviewedUses } from './store.ts';

/** The permission to change directly what is reviewed. */
export const needsToSkipReview = 'SKIP_CHANGE_REQUEST';

export interface ReviewPolicy {
  /** Whether nobody may skip review: SKIP_CHANGE_REQUEST counts for nothing then, and review is not relaxed directly. */
  readonly binding: boolean;
}

/** The permission by which a change is made directly where changes are reviewed. */
export function bypassPermission({ binding }: ReviewPolicy) {
  return binding ? breakGlassPermission : needsToSkipReview;
}

/**
 * Refuses, with a 403, to commit a change of flags in an environment where changes are reviewed, unless its author may
 * skip that or breaks glass, or it comes out of a change request. It looks at what every change records, so no command
 * and no route has to remember to ask.
 */
export function requireReview(policy: ReviewPolicy): BeforeCommit {
  return async (tx, { events, group }) => {
    if (group?.type === 'change-request') return;
    const refused = await refusedByReview(tx.db, tx.by, events, policy);
    if (refused.length === 0) return;
    const may = mayBreakGlass(tx.by, refused);
    if (!may || tx.by.breakGlassReason === undefined) throw reviewNeeded(refused, may, policy);
    await breakGlass(tx, refused, events);
  };
}

/** The refusal of a change; `breakGlass` tells its author that the change would go through with a reason. */
function reviewNeeded([refused]: readonly Refused[], mayBreak: boolean, policy: ReviewPolicy): Problem {
  const permission = bypassPermission(policy);
  const environment = refused?.environment ?? '';
  const where = refused?.shared ? 'in every reviewed environment that uses the segment' : 'there';
  const why = refused?.shared
    ? `The segment is used in ${environment}, where changes are reviewed: make a change request in a project.`
    : `Changes in ${environment} are reviewed: make a change request.`;
  const way = mayBreak
    ? `In an emergency give the reason in the header ${breakGlassHeader}.`
    : `To do this directly you need the permission ${permission} ${where}.`;
  const message = `${why} ${way}`;
  return new Problem('PermissionError', message, {
    details: [{ message }],
    extras: { permissions: [permission], ...(mayBreak ? { breakGlass: true } : {}) },
  });
}

/** A reviewed environment in which a change needs a change request. */
export interface Refused extends ReviewedEnvironment {
  /** Whether the change is refused there for a segment of all projects alone: the project may be hidden from the author. */
  readonly shared: boolean;
}

/**
 * Returns the environments in which changes are reviewed that these events tell of, and which `by` may not skip. At most
 * one statement, and one more each where flags are held off and where segments of all projects change.
 */
export async function refusedByReview(
  db: Db,
  by: Pick<Author, 'actor' | 'can'>,
  events: readonly Told[],
  policy: ReviewPolicy,
): Promise<Refused[]> {
  const skips = (place: Place) => maySkip(by, place, policy);
  const heldOff = events.flatMap((event) => (holdsOff(event) ? (event.featureName ?? []) : []));
  const turningOn = await parentsTurningOn(db, heldOff);
  const places = events.flatMap((event) => placesOf(event, turningOn)).filter((place) => !skips(place));
  const uses = await reviewedUses(db, events.flatMap(sharedSegmentOf));
  const others = [
    ...uses.map(({ segmentId: _, ...use }) => ({ ...use, shared: true })),
    ...(policy.binding ? events.flatMap(relaxedBy) : []),
  ].filter((one) => !skips(one));
  if (places.length === 0) return withoutRepeats(others);
  const felt = new Set(places.map(({ project, environment }) => JSON.stringify([project, environment ?? null])));
  const isFelt = (project: string, environment: string | null) => felt.has(JSON.stringify([project, environment]));
  // The very change that is looked at may have taken the environment from its project.
  const reviewed = await reviewedOrLost(db, [...new Set(places.map(({ project }) => project))]);
  const refused = reviewed.filter(
    (one) => (isFelt(one.project, one.environment) || (!one.isLost && isFelt(one.project, null))) && !skips(one),
  );
  return withoutRepeats([...refused.map(({ isLost: _, ...one }) => ({ ...one, shared: false })), ...others]);
}

function withoutRepeats(all: readonly Refused[]): Refused[] {
  const key = ({ project, environment }: Refused) => JSON.stringify([project, environment]);
  // Of repeats a map keeps the last one: what is refused for more than a shared segment.
  return [...new Map(all.toReversed().map((one) => [key(one), one])).values()].toReversed();
}

/**
 * The segment that an event changes which belongs, or belonged, to all projects: it is felt wherever strategies use it.
 * Only an unused one can be deleted, so a deletion is felt nowhere.
 */
function sharedSegmentOf({ type, project, data, preData }: Told): number[] {
  if (type !== 'segment-updated') return [];
  const { id } = (data ?? {}) as { readonly id?: unknown };
  const { project: before } = (preData ?? {}) as { readonly project?: unknown };
  const isShared = typeof project !== 'string' || typeof before !== 'string';
  return isShared && typeof id === 'number' ? [id] : [];
}

/** The environment in which an event says that changes are no longer reviewed, or by fewer people. */
function relaxedBy({ type, project, environment, data, preData }: Told): Refused[] {
  if (type !== 'change-request-configuration-updated') return [];
  const approvals = (one: unknown) => (one as { readonly requiredApprovals: number | null }).requiredApprovals ?? 0;
  if (typeof project !== 'string' || typeof environment !== 'string' || approvals(data) >= approvals(preData))
    return [];
  return [{ project, environment, requiredApprovals: approvals(preData), shared: false }];
}

/** What of an event says where it is felt. */
type Told = Pick<NewEvent, 'type' | 'project' | 'environment' | 'featureName' | 'data' | 'preData'>;

interface Place {
  readonly project: string;
  /** Absent for all environments of the project. */
  readonly environment?: string | undefined;
}

/** Where what an event tells of is felt. Flags of `turningOn` have others that are on while they are off. */
function placesOf(
  { type, project, environment, featureName, data, preData }: Told,
  turningOn: ReadonlySet<string>,
): Place[] {
  const reach = holdsOff({ type, data }) && turningOn.has(featureName ?? '') ? 'environment' : reachOf({ type, data });
  if (reach === 'nothing') return [];
  if (reach === 'environment' && typeof project === 'string' && typeof environment === 'string') {
    return [{ project, environment }];
  }
  // What leaves a project, also for all of them, is felt there as well.
  const { oldProject } = (data ?? {}) as { readonly oldProject?: unknown };
  const { project: before } = (preData ?? {}) as { readonly project?: unknown };
  return [...new Set([project, oldProject, before])].flatMap((one) =>
    typeof one === 'string' ? [{ project: one }] : [],
  );
}

/** Of all environments together only who may skip review everywhere may be let through before they are known. */
function maySkip(by: Pick<Author, 'actor' | 'can'>, place: Place, { binding }: ReviewPolicy): boolean {
  if (by.actor.userId === systemActor.userId) return true;
  return !binding && maySkipReview(by, place);
}

/**
 * Returns whether an author holds the permission to skip review in a place, whether or not review is binding: to end what another
 * person holds brings back reviewed state.
 */
export function maySkipReview({ actor, can }: Pick<Author, 'actor' | 'can'>, { project, environment }: Place): boolean {
  if (can === undefined) return actor.userId === systemActor.userId;
  return can(needsToSkipReview, { project, environment });
}
