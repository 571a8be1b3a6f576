import { type Author, systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { NewEvent } from '../../storage/tx.ts';
import type { BeforeCommit } from '../../storage/write.ts';
import { reachOf } from './reach.ts';
import { reviewedEnvironments } from './store.ts';

const needed = 'SKIP_CHANGE_REQUEST';

/**
 * Refuses, with a 403, to commit a change of flags in an environment where changes are reviewed, unless its author may
 * skip that or it comes out of a change request. It looks at what every change records, so no command and no route has
 * to remember to ask.
 */
export const requireReview: BeforeCommit = async (tx, { events, group }) => {
  if (group?.type === 'change-request') return;
  const places = events.flatMap(placesOf).filter((place) => !maySkip(tx.by, place));
  if (places.length === 0) return;
  const reviewed = await reviewedEnvironments(tx.db, [...new Set(places.map(({ project }) => project))]);
  const refused = reviewed.find(
    (one) =>
      places.some(
        ({ project, environment }) =>
          project === one.project && (environment === undefined || environment === one.environment),
      ) && !maySkip(tx.by, one),
  );
  if (refused === undefined) return;
  const message = `Changes in ${refused.environment} are reviewed: make a change request. To do this directly you need the permission ${needed} there.`;
  throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions: [needed] } });
};

interface Place {
  readonly project: string;
  /** Absent for all environments of the project. */
  readonly environment?: string | undefined;
}

/** Where what an event tells of is felt. */
function placesOf({ type, project, environment, data }: NewEvent): Place[] {
  const reach = reachOf(type);
  if (reach === 'nothing' || typeof project !== 'string') return [];
  if (reach === 'environment' && typeof environment === 'string') return [{ project, environment }];
  const { oldProject } = (data ?? {}) as { readonly oldProject?: unknown };
  return [{ project }, ...(typeof oldProject === 'string' ? [{ project: oldProject }] : [])];
}

/** Of all environments together only who may skip review everywhere may be let through before they are known. */
function maySkip({ actor, can }: Author, { project, environment }: Place): boolean {
  if (can === undefined) return actor.userId === systemActor.userId;
  return can(needed, { project, environment });
}
