import { breakGlassHeader, breakGlassPermission } from '@yardarm/contract';
import { type Author, systemActor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { firstOf } from '#kernel/lists.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db, NewEvent } from '#storage/tx.ts';
import { breakGlass, mayBreakGlass } from './break-glass.ts';
import { eventScope, isHoldOff } from './event-scope.ts';
import type { ReviewPolicy } from './review-policy.ts';
import { parentsRequiredOff, type ReviewedEnvironment, reviewedOrLost, reviewedUses } from './store.ts';

/** The permission to make a change directly where review is required. */
export const skipReviewPermission = 'SKIP_CHANGE_REQUEST';

/** Returns the permission to make a change directly where review is required. */
export function bypassPermission({ binding }: ReviewPolicy) {
  return binding ? breakGlassPermission : skipReviewPermission;
}

/**
 * Rejects a transaction with 403 when its events change a reviewed environment, unless the changes come from a change
 * request, the author may skip review, or the author breaks glass. Decides from the recorded events, so that commands
 * and routes cannot forget the check.
 */
export function requireReview(policy: ReviewPolicy): BeforeCommit {
  return async ({ db, by }, { events, group }) => {
    if (group?.type === 'change-request') return undefined;
    const refused = await refusedByReview(db, by, events, policy);
    if (refused.length === 0) return undefined;
    const { breakGlassReason: reason } = by;
    const mayUseBreakGlass = mayBreakGlass(by, refused);
    if (!mayUseBreakGlass || reason === undefined) throw reviewRequired(firstOf(refused), mayUseBreakGlass, policy);
    return (tx) => breakGlass(tx, reason, refused, events);
  };
}

/** Returns the 403 of a change that requires review. Its field `breakGlass` is true when the author may break glass. */
function reviewRequired({ environment, shared }: Refused, mayUseBreakGlass: boolean, policy: ReviewPolicy): Problem {
  const permission = bypassPermission(policy);
  const where = shared ? 'in every reviewed environment that uses the segment' : 'there';
  const why = shared
    ? `The segment is used in ${environment}, where changes require review. Make a change request in a project.`
    : `Changes in ${environment} require review. Make a change request.`;
  const way = mayUseBreakGlass
    ? `In an emergency, repeat the request with a reason in the header ${breakGlassHeader}.`
    : `A direct change needs the permission ${permission} ${where}.`;
  const message = `${why} ${way}`;
  return new Problem('PermissionError', message, {
    details: [{ message }],
    extras: { permissions: [permission], ...(mayUseBreakGlass ? { breakGlass: true } : {}) },
  });
}

/** A reviewed environment in which a change needs a change request. */
export interface Refused extends ReviewedEnvironment {
  /** True when only the change of a shared segment requires review there; the project may be hidden from the author. */
  readonly shared: boolean;
}

/**
 * Returns the reviewed environments that these events change and where `by` may not skip review. One statement at most,
 * plus one when flags are held off and two when shared segments change.
 */
export async function refusedByReview(
  db: Db,
  by: Pick<Author, 'actor' | 'can'>,
  events: readonly ScopedEvent[],
  policy: ReviewPolicy,
): Promise<Refused[]> {
  const skips = (place: Place) => maySkip(by, place, policy);
  const heldOff = events.flatMap((event) => (isHoldOff(event) ? (event.featureName ?? []) : []));
  const requiredOff = await parentsRequiredOff(db, heldOff);
  const places = events.flatMap((event) => affectedPlaces(event, requiredOff)).filter((place) => !skips(place));
  const uses = await reviewedUses(db, events.flatMap(sharedSegmentOf));
  const others = [
    ...uses.map(({ segmentId: _, ...use }) => ({ ...use, shared: true })),
    ...(policy.binding ? events.flatMap(relaxedReview) : []),
  ].filter((place) => !skips(place));
  const affected = new Set(places.map(({ project, environment }) => JSON.stringify([project, environment ?? null])));
  const isAffected = (project: string, environment: string | null) =>
    affected.has(JSON.stringify([project, environment]));
  // The checked transaction may have removed the environment from its project.
  const reviewed = await reviewedOrLost(db, [...new Set(places.map(({ project }) => project))]);
  const refused = reviewed.filter(
    (place) =>
      (isAffected(place.project, place.environment) || (!place.isLost && isAffected(place.project, null))) &&
      !skips(place),
  );
  return distinctPlaces([...refused.map(({ isLost: _, ...place }) => ({ ...place, shared: false })), ...others]);
}

function distinctPlaces(all: readonly Refused[]): Refused[] {
  const key = ({ project, environment }: Refused) => JSON.stringify([project, environment]);
  // Keeps the first of duplicates, which is the one that is not `shared`.
  return [...new Map(all.toReversed().map((place) => [key(place), place])).values()].toReversed();
}

/**
 * Returns the id of the shared segment that an event updates, also when the update makes or stops making it shared.
 * Deletions are ignored: only an unused segment can be deleted.
 */
function sharedSegmentOf({ type, project, data, preData }: ScopedEvent): number[] {
  if (type !== 'segment-updated') return [];
  const { id } = (data ?? {}) as { readonly id?: unknown };
  const { project: before } = (preData ?? {}) as { readonly project?: unknown };
  const isShared = typeof project !== 'string' || typeof before !== 'string';
  return isShared && typeof id === 'number' ? [id] : [];
}

/** Returns the environment for which an event ends review or lowers the number of required approvals. */
function relaxedReview({ type, project, environment, data, preData }: ScopedEvent): Refused[] {
  if (type !== 'change-request-configuration-updated') return [];
  const approvals = (setting: unknown) =>
    (setting as { readonly requiredApprovals: number | null }).requiredApprovals ?? 0;
  if (typeof project !== 'string' || typeof environment !== 'string' || approvals(data) >= approvals(preData))
    return [];
  return [{ project, environment, requiredApprovals: approvals(preData), shared: false }];
}

/** The event fields that determine which environments it affects. */
type ScopedEvent = Pick<NewEvent, 'type' | 'project' | 'environment' | 'featureName' | 'data' | 'preData'>;

interface Place {
  readonly project: string;
  /** Absent for all environments of the project. */
  readonly environment?: string | undefined;
}

/**
 * Returns the places that an event affects. Flags in `requiredOff` are parents of flags that require them to be off.
 */
function affectedPlaces(
  { type, project, environment, featureName, data, preData }: ScopedEvent,
  requiredOff: ReadonlySet<string>,
): Place[] {
  const reach =
    isHoldOff({ type, data }) && requiredOff.has(featureName ?? '') ? 'environment' : eventScope({ type, data });
  if (reach === 'none') return [];
  if (reach === 'environment' && typeof project === 'string' && typeof environment === 'string') {
    return [{ project, environment }];
  }
  // Moving a flag or a segment out of a project affects that project too.
  const { oldProject } = (data ?? {}) as { readonly oldProject?: unknown };
  const { project: before } = (preData ?? {}) as { readonly project?: unknown };
  return [...new Set([project, oldProject, before])].flatMap((affected) =>
    typeof affected === 'string' ? [{ project: affected }] : [],
  );
}

/**
 * Returns whether `by` may change a place without review. A place without an environment requires the right to skip
 * review in all environments of the project.
 */
function maySkip(by: Pick<Author, 'actor' | 'can'>, place: Place, { binding }: ReviewPolicy): boolean {
  if (by.actor.userId === systemActor.userId) return true;
  return !binding && maySkipReview(by, place);
}

/**
 * Returns whether an author has the permission to skip review in a place, even when review is binding. Ending another
 * holder's hold uses this: it only restores reviewed state.
 */
export function maySkipReview({ actor, can }: Pick<Author, 'actor' | 'can'>, { project, environment }: Place): boolean {
  if (can === undefined) return actor.userId === systemActor.userId;
  return can(skipReviewPermission, { project, environment });
}
