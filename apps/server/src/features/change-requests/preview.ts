import type { Author } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { type ClientFeature, loadClientFeatures } from '../flags/index.ts';
import { type HoldInForce, holdsInForce } from '../holds/index.ts';
import { type ClientSegment, loadClientSegments } from '../segments/index.ts';
import { applyChanges, type ChangeLimits, rehearse } from './apply.ts';
import { flagOf, segmentOf } from './change.ts';
import { requireRequest } from './finding.ts';
import { openStates, requireState } from './request.ts';
import { requireNoConflict } from './state-commands.ts';
import { projectOf } from './store.ts';

/** What flags and segments are once a change request is applied. */
export interface Preview {
  readonly project: string;
  readonly environment: string;
  /** Names of the flags that it changes. */
  readonly changedFlags: readonly string[];
  /** Those of them that are there after it. */
  readonly features: readonly ClientFeature[];
  /** Ids of the segments that it changes. */
  readonly changedSegments: readonly number[];
  /** Those of them that are there after it, and whatever else its flags use. */
  readonly segments: readonly ClientSegment[];
  /** What holds flags in the environment, beside what would be configured there. */
  readonly held: ReadonlyMap<string, HoldInForce>;
}

/** {@link previewRequest} of this service. */
export type PreviewRequest = (author: Author, id: number, isHidden: (project: string) => boolean) => Promise<Preview>;

/**
 * What a change request comes to, seen before it is applied: its changes are made and taken back. 404 for one that the
 * author does not see, 409 for one that is over or in conflict; otherwise what applying it would throw, whoever may do that.
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
  // Nothing is done, so nothing has to be permitted: applying it may be up to somebody else.
  const by = { ...author, can: () => true };
  return rehearse(write, by, async (tx) => {
    const request = await requireRequest(tx.db, { project, id }, author.actor);
    requireState(request, ...openStates);
    await requireNoConflict(tx, request);
    const doings = request.changes.map(({ doing }) => doing);
    await applyChanges(tx, limits, request, doings, 'changes.');
    const changedFlags = [...new Set(doings.flatMap((doing) => flagOf(doing) ?? []))];
    const changedSegments = [...new Set(doings.flatMap((doing) => segmentOf(doing) ?? []))];
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
