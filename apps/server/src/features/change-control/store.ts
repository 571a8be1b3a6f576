import type { Db, Tx } from '../../storage/tx.ts';

/** An environment of a project in which changes are reviewed. */
export interface ReviewedEnvironment {
  readonly project: string;
  readonly environment: string;
  /** At least 1. */
  readonly requiredApprovals: number;
}

/**
 * The environments of these projects in which changes are reviewed, by name. One statement. What was set for an environment
 * that a project has lost waits until it is back, and is not told of.
 */
export async function reviewedEnvironments(db: Db, projects: readonly string[]): Promise<ReviewedEnvironment[]> {
  const all = await reviewedOrLost(db, projects);
  return all.flatMap(({ isLost, ...one }) => (isLost ? [] : [one]));
}

/** The names of the environments of a project in which changes are reviewed. */
export async function reviewedIn(db: Db, project: string): Promise<ReadonlySet<string>> {
  return new Set((await reviewedEnvironments(db, [project])).map(({ environment }) => environment));
}

/** {@link reviewedEnvironments}, and those that their project has lost. */
export async function reviewedOrLost(
  db: Db,
  projects: readonly string[],
): Promise<(ReviewedEnvironment & { readonly isLost: boolean })[]> {
  if (projects.length === 0) return [];
  const rows = await db
    .selectFrom('change_request_environments as r')
    .leftJoin('project_environments as p', (join) =>
      join.onRef('p.project', '=', 'r.project').onRef('p.environment', '=', 'r.environment'),
    )
    .select(['r.project', 'r.environment', 'r.required_approvals as requiredApprovals', 'p.project as owner'])
    .where('r.project', 'in', projects)
    .orderBy('r.project')
    .orderBy('r.environment')
    .execute();
  return rows.map(({ owner, ...one }) => ({ ...one, isLost: owner === null }));
}

/** An environment in which changes are reviewed, and a segment that a strategy there uses. */
export interface ReviewedUse extends ReviewedEnvironment {
  readonly segmentId: number;
}

/**
 * Returns the reviewed environments in which strategies use the segments. Archived flags do not count, nor do environments
 * that their project has lost: both serve nothing, and what brings them back is reviewed itself or serves nothing at
 * first. One statement, and none for no segments.
 */
export async function reviewedUses(db: Db, segmentIds: readonly number[]): Promise<ReviewedUse[]> {
  if (segmentIds.length === 0) return [];
  return db
    .selectFrom('feature_strategy_segments as g')
    .innerJoin('feature_strategies as s', 's.id', 'g.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .innerJoin('project_environments as p', (join) =>
      join.onRef('p.project', '=', 'f.project').onRef('p.environment', '=', 's.environment'),
    )
    .innerJoin('change_request_environments as r', (join) =>
      join.onRef('r.project', '=', 'f.project').onRef('r.environment', '=', 's.environment'),
    )
    .where('g.segment_id', 'in', segmentIds)
    .where('f.archived_at', 'is', null)
    .select(['g.segment_id as segmentId', 'r.project', 'r.environment', 'r.required_approvals as requiredApprovals'])
    .distinct()
    .orderBy('r.project')
    .orderBy('r.environment')
    .orderBy('g.segment_id')
    .execute();
}

/** Those of the named flags on which others depend that are on while they are off. One statement, and none for no names. */
export async function parentsTurningOn(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom('feature_dependencies')
    .select('parent')
    .distinct()
    .where('parent', 'in', names)
    .where('enabled', '=', 0)
    .execute();
  return new Set(rows.map(({ parent }) => parent));
}

export async function putReviewed(tx: Tx, one: ReviewedEnvironment): Promise<void> {
  const values = { required_approvals: one.requiredApprovals };
  await tx.db
    .insertInto('change_request_environments')
    .values({ project: one.project, environment: one.environment, ...values })
    .onConflict((conflict) => conflict.columns(['project', 'environment']).doUpdateSet(values))
    .execute();
}

export async function deleteReviewed(tx: Tx, project: string, environment: string): Promise<void> {
  await tx.db
    .deleteFrom('change_request_environments')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .execute();
}
