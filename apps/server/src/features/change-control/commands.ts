import { Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import type { BeforeCommit } from '../../storage/write.ts';
import { listEnvironmentsOfProject } from '../environments/index.ts';
import { requireProject } from '../projects/index.ts';
import { deleteReviewed, putReviewed, reviewedEnvironments } from './store.ts';

/**
 * Sets how many must approve what is to change in an environment of a project; with null it is changed directly. Nothing
 * is recorded when nothing changes. 404 for an environment that the project does not have.
 */
export async function setReview(
  tx: Tx,
  project: string,
  environment: string,
  requiredApprovals: number | null,
): Promise<void> {
  await requireEnvironmentOf(tx.db, project, environment);
  const before = (await reviewedEnvironments(tx.db, [project])).find((one) => one.environment === environment);
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

/** A 404 unless the project has the environment. */
export async function requireEnvironmentOf(db: Db, project: string, environment: string): Promise<void> {
  await requireProject(db, project);
  const environments = await listEnvironmentsOfProject(db, project);
  if (environments.some(({ name }) => name === environment)) return;
  throw new Problem('NotFoundError', `The project ${project} has no environment ${environment}.`);
}

function configData(requiredApprovals: number | null) {
  return { changeRequestsEnabled: requiredApprovals !== null, requiredApprovals };
}

/** Forgets how changes were reviewed in an environment that a project loses. */
export const followEnvironments: BeforeCommit = async (tx, { events }) => {
  for (const { type, project, environment } of events) {
    if (type !== 'project-environment-removed' || !project || !environment) continue;
    await deleteReviewed(tx, project, environment);
  }
};
