import { type HoldInForce, holdsInForce } from '#features/flags/holds/index.ts';
import { type ClientFeature, loadClientFeatures } from '#features/flags/reading/index.ts';
import { type ClientSegment, loadClientSegments } from '#features/flags/segments/index.ts';
import type { Author } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { applyChanges, type ChangeLimits, dryRun } from './apply.ts';
import { flagOf, segmentOf } from './change.ts';
import { openStates, requireState } from './request.ts';
import { requireRequest } from './require-request.ts';
import { requireNoConflict } from './state-commands.ts';
import { projectOf } from './store.ts';

/** The flags and segments as they would be after a change request is applied. */
export interface Preview {
  readonly project: string;
  readonly environment: string;
  /** Names of the flags that the request changes. */
  readonly changedFlags: readonly string[];
  /** The changed flags that exist afterwards. */
  readonly features: readonly ClientFeature[];
  /** Ids of the segments that the request changes. */
  readonly changedSegments: readonly number[];
  /** The changed segments that exist afterwards, and the other segments that the changed flags use. */
  readonly segments: readonly ClientSegment[];
  /** The active holds of flags in the environment. */
  readonly held: ReadonlyMap<string, HoldInForce>;
}

/** {@link previewRequest}, bound to a database and limits. */
export type PreviewRequest = (author: Author, id: number, isHidden: (project: string) => boolean) => Promise<Preview>;

/**
 * Previews a change request: applies its changes and rolls them back. Rejects with 404 when the author may not see the
 * request, with 409 when it is closed or has conflicts, and with the error that applying it would cause.
 */
export async function previewRequest(
  { db, write }: Database,
  limits: ChangeLimits,
  author: Author,
  id: number,
  isHidden: (project: string) => boolean,
): Promise<Preview> {
  const project = await projectOf(db, id);
  if (project === undefined || isHidden(project)) {
    throw new Problem('NotFoundError', `There is no change request ${id}.`);
  }
  // The preview is rolled back, so it needs no permission to apply; another account may apply the request.
  const by = { ...author, can: () => true };
  return dryRun(write, by, async (tx) => {
    const request = await requireRequest(tx.db, { project, id }, author.actor);
    requireState(request, ...openStates);
    await requireNoConflict(tx, request);
    const operations = request.changes.map(({ operation }) => operation);
    await applyChanges(tx, { ...limits, isTrial: true }, request, operations, 'changes.');
    const changedFlags = [...new Set(operations.flatMap((operation) => flagOf(operation) ?? []))];
    const changedSegments = [...new Set(operations.flatMap((operation) => segmentOf(operation) ?? []))];
    const features = changedFlags.length === 0 ? [] : await loadClientFeatures(tx.db, changedFlags);
    const used = features.flatMap(({ environments }) =>
      environments.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments)),
    );
    const segments = await loadClientSegments(tx.db, [...new Set([...changedSegments, ...used])]);
    const { environment } = request;
    const held = await holdsInForce(tx.db, [environment]);
    return { project, environment, held, changedFlags, features, changedSegments, segments };
  });
}
