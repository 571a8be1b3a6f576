import {
  type CopyEnvironmentData,
  type Environment,
  listEnvironmentsOfProject,
} from '#features/projects/environments/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { deleteReviewed, putReviewed, reviewedEnvironments } from './store.ts';

/**
 * Sets how many approvals a change in an environment of a project requires. Null turns review off. Undefined keeps the
 * current number, or else takes the default of the environment, or else 1. Records nothing when nothing changes.
 * Rejects with 404 when the project does not have the environment.
 */
export async function setRequiredApprovals(
  tx: Tx,
  project: string,
  environment: string,
  desired: number | null | undefined,
): Promise<void> {
  const { requiredApprovals: environmentDefault } = await requireEnvironmentOf(tx.db, project, environment);
  const before = (await reviewedEnvironments(tx.db, [project])).find(
    (reviewed) => reviewed.environment === environment,
  );
  const requiredApprovals = desired === undefined ? (before?.requiredApprovals ?? environmentDefault ?? 1) : desired;
  if ((before?.requiredApprovals ?? null) === requiredApprovals) return;
  if (requiredApprovals === null) await deleteReviewed(tx, project, environment);
  else await putReviewed(tx, { project, environment, requiredApprovals });
  tx.record({
    type: 'change-request-configuration-updated',
    project,
    environment,
    preData: configData(before?.requiredApprovals ?? null),
    data: configData(requiredApprovals),
  });
}

/**
 * Returns the environments of a project in their order with the approvals that a change requires; null without review.
 */
export async function listReview(db: Db, project: string) {
  await requireProject(db, project);
  const [environments, reviewed] = await Promise.all([
    listEnvironmentsOfProject(db, project),
    reviewedEnvironments(db, [project]),
  ]);
  return environments.map(({ name, type }) => ({
    environment: name,
    type,
    requiredApprovals: reviewed.find((setting) => setting.environment === name)?.requiredApprovals ?? null,
  }));
}

/** Returns the environment. Rejects with 404 unless the project has it. */
export async function requireEnvironmentOf(db: Db, project: string, environment: string): Promise<Environment> {
  await requireProject(db, project);
  const found = (await listEnvironmentsOfProject(db, project)).find(({ name }) => name === environment);
  if (found !== undefined) return found;
  throw new Problem('NotFoundError', `The project ${project} has no environment ${environment}.`);
}

function configData(requiredApprovals: number | null) {
  return { changeRequestsEnabled: requiredApprovals !== null, requiredApprovals };
}

/** Copies the review settings of a cloned environment to the new one, in each of its projects. */
export const copyReviewSettings: CopyEnvironmentData = async (tx, { from, to, projects }) => {
  for (const { project, environment, requiredApprovals } of await reviewedEnvironments(tx.db, projects)) {
    if (environment === from) await setRequiredApprovals(tx, project, to, requiredApprovals);
  }
};
