import { anyList, jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** An environment of a project in which changes require review. */
export interface ReviewedEnvironment {
  readonly project: string;
  readonly environment: string;
  /** At least 1. */
  readonly requiredApprovals: number;
}

/**
 * Returns the reviewed environments of the projects, ordered by name, with one statement. Leaves out environments that
 * were removed from the project: their setting is kept until they are added again.
 */
export async function reviewedEnvironments(db: Db, projects: readonly string[]): Promise<ReviewedEnvironment[]> {
  const all = await reviewedOrLost(db, projects);
  return all.flatMap(({ isLost, ...reviewed }) => (isLost ? [] : [reviewed]));
}

/** Returns the names of the reviewed environments of a project. */
export async function reviewedIn(db: Db, project: string): Promise<ReadonlySet<string>> {
  return new Set((await reviewedEnvironments(db, [project])).map(({ environment }) => environment));
}

const selectReviewed = prepared<{ projects: readonly string[] }>().query((db, { projects }) =>
  db
    .selectFrom('change_request_environments as r')
    .leftJoin('project_environments as p', (join) =>
      join.onRef('p.project', '=', 'r.project').onRef('p.environment', '=', 'r.environment'),
    )
    .select(['r.project', 'r.environment', 'r.required_approvals as requiredApprovals', 'p.project as owner'])
    .where('r.project', 'in', projects)
    .orderBy('r.project')
    .orderBy('r.environment'),
);

/** Like {@link reviewedEnvironments}, including environments that were removed from their project. */
export async function reviewedOrLost(
  db: Db,
  projects: readonly string[],
): Promise<(ReviewedEnvironment & { readonly isLost: boolean })[]> {
  if (projects.length === 0) return [];
  const rows = await selectReviewed(db, { projects });
  return rows.map(({ owner, ...reviewed }) => ({ ...reviewed, isLost: owner === null }));
}

/** A segment and a reviewed environment in which a strategy of a flag or of a release plan uses it. */
export interface ReviewedUse extends ReviewedEnvironment {
  readonly segmentId: number;
}

/**
 * Returns the reviewed environments in which strategies use the segments, with at most two statements. Strategies of
 * all milestones of release plans count, because the approved plan starts its milestones by itself. Ignores archived
 * flags and removed environments: SDKs do not get them, and restoring them is reviewed or leaves the flags off.
 */
export async function reviewedUses(db: Db, segmentIds: readonly number[]): Promise<ReviewedUse[]> {
  if (segmentIds.length === 0) return [];
  const [ofFlags, ofPlans] = await Promise.all([usesOfFlags(db, segmentIds), usesOfPlans(db, segmentIds)]);
  const key = ({ project, environment, segmentId }: ReviewedUse) => JSON.stringify([project, environment, segmentId]);
  return [...new Map([...ofFlags, ...ofPlans].map((use) => [key(use), use])).values()];
}

/** The part of the milestones that says which segments they use; the feature `release-plans` owns the column. */
const milestonesColumn = jsonColumn(
  'release_plans.milestones',
  anyList<{ readonly strategies: readonly { readonly segments: readonly number[] }[] }>(),
);

async function usesOfPlans(db: Db, segmentIds: readonly number[]): Promise<ReviewedUse[]> {
  const rows = await db
    .selectFrom('release_plans as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .innerJoin('change_request_environments as r', (join) =>
      join.onRef('r.project', '=', 'f.project').onRef('r.environment', '=', 'l.environment'),
    )
    .where('f.archived_at', 'is', null)
    .select(['l.id', 'l.milestones', 'r.project', 'r.environment', 'r.required_approvals as requiredApprovals'])
    .orderBy('r.project')
    .orderBy('r.environment')
    .orderBy('l.id')
    .execute();
  return rows.flatMap(({ id, milestones, ...reviewed }) => {
    const strategies = milestonesColumn.parse(milestones, id).flatMap((milestone) => milestone.strategies);
    const used = new Set(strategies.flatMap(({ segments }) => segments));
    return segmentIds.filter((segment) => used.has(segment)).map((segmentId) => ({ segmentId, ...reviewed }));
  });
}

function usesOfFlags(db: Db, segmentIds: readonly number[]): Promise<ReviewedUse[]> {
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

/** Returns which of the named flags other flags require to be off, with at most one statement. */
export async function parentsRequiredOff(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
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

export async function putReviewed(tx: Tx, reviewed: ReviewedEnvironment): Promise<void> {
  const values = { required_approvals: reviewed.requiredApprovals };
  await tx.db
    .insertInto('change_request_environments')
    .values({ project: reviewed.project, environment: reviewed.environment, ...values })
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
