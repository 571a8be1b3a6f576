import { Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { type CopyOfEnvironment, type Environment, listEnvironmentsOfProject } from '../environments/index.ts';
import { requireProject } from '../projects/index.ts';
import { deleteReviewed, putReviewed, reviewedEnvironments } from './store.ts';

/**
 * Sets how many must approve what is to change in an environment of a project; with null it is changed directly, and with
 * undefined it is reviewed as it was, else by as many as the environment asks for, else by one. Nothing is recorded when
 * nothing changes. 404 for an environment that the project does not have.
 */
export async function setReview(
  tx: Tx,
  project: string,
  environment: string,
  wanted: number | null | undefined,
): Promise<void> {
  const { requiredApprovals: usual } = await requireEnvironmentOf(tx.db, project, environment);
  const before = (await reviewedEnvironments(tx.db, [project])).find((one) => one.environment === environment);
  const requiredApprovals = wanted === undefined ? (before?.requiredApprovals ?? usual ?? 1) : wanted;
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

/** The environments of a project in their order, and how many must approve a change there; null where nobody need. */
export async function listReview(db: Db, project: string) {
  await requireProject(db, project);
  const [environments, reviewed] = await Promise.all([
    listEnvironmentsOfProject(db, project),
    reviewedEnvironments(db, [project]),
  ]);
  return environments.map(({ name, type }) => ({
    environment: name,
    type,
    requiredApprovals: reviewed.find((one) => one.environment === name)?.requiredApprovals ?? null,
  }));
}

/** The environment; a 404 unless the project has it. */
export async function requireEnvironmentOf(db: Db, project: string, environment: string): Promise<Environment> {
  await requireProject(db, project);
  const found = (await listEnvironmentsOfProject(db, project)).find(({ name }) => name === environment);
  if (found !== undefined) return found;
  throw new Problem('NotFoundError', `The project ${project} has no environment ${environment}.`);
}

function configData(requiredApprovals: number | null) {
  return { changeRequestsEnabled: requiredApprovals !== null, requiredApprovals };
}

/** Has changes in a new environment reviewed as they are in the one that it is like, in each project that gets it. */
export const copyReviewOfEnvironment: CopyOfEnvironment = async (tx, { from, to, projects }) => {
  for (const { project, environment, requiredApprovals } of await reviewedEnvironments(tx.db, projects)) {
    if (environment === from) await setReview(tx, project, to, requiredApprovals);
  }
};
