import { type Author, systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db, NewEvent } from '../../storage/tx.ts';
import type { BeforeCommit } from '../../storage/write.ts';
import { holdsOff, reachOf } from './reach.ts';
import { parentsTurningOn, type ReviewedEnvironment, reviewedOrLost } from './store.ts';

/** The permission to change directly what is reviewed. */
export const needsToSkipReview = 'SKIP_CHANGE_REQUEST';

/**
 * Refuses, with a 403, to commit a change of flags in an environment where changes are reviewed, unless its author may
 * skip that or it comes out of a change request. It looks at what every change records, so no command and no route has
 * to remember to ask.
 */
export const requireReview: BeforeCommit =
  (tx) =>
  async ({ events, group }) => {
    if (group?.type === 'change-request') return;
    const [refused] = await refusedByReview(tx.db, tx.by, events);
    if (refused === undefined) return;
    const message = `Changes in ${refused.environment} are reviewed: make a change request. To do this directly you need the permission ${needsToSkipReview} there.`;
    throw new Problem('PermissionError', message, {
      details: [{ message }],
      extras: { permissions: [needsToSkipReview] },
    });
  };

/**
 * The environments in which changes are reviewed that these events tell of, and which `by` may not skip. At most one statement, and
 * one more where flags are held off.
 */
export async function refusedByReview(
  db: Db,
  by: Pick<Author, 'actor' | 'can'>,
  events: readonly Told[],
): Promise<ReviewedEnvironment[]> {
  const heldOff = events.flatMap((event) => (holdsOff(event) ? (event.featureName ?? []) : []));
  const turningOn = await parentsTurningOn(db, heldOff);
  const places = events.flatMap((event) => placesOf(event, turningOn)).filter((place) => !maySkipReview(by, place));
  if (places.length === 0) return [];
  const felt = new Set(places.map(({ project, environment }) => JSON.stringify([project, environment ?? null])));
  const isFelt = (project: string, environment: string | null) => felt.has(JSON.stringify([project, environment]));
  // The very change that is looked at may have taken the environment from its project.
  const reviewed = await reviewedOrLost(db, [...new Set(places.map(({ project }) => project))]);
  return reviewed.filter(
    (one) =>
      (isFelt(one.project, one.environment) || (!one.isLost && isFelt(one.project, null))) && !maySkipReview(by, one),
  );
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

/**
 * Returns whether an author may change directly what is reviewed in a place. Of all environments together only who may skip review
 * everywhere may be let through before they are known.
 */
export function maySkipReview({ actor, can }: Pick<Author, 'actor' | 'can'>, { project, environment }: Place): boolean {
  if (can === undefined) return actor.userId === systemActor.userId;
  return can(needsToSkipReview, { project, environment });
}
