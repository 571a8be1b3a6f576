import type { DefaultStrategyBody } from '@yardarm/contract';
import { listEnvironmentsOfProject, requireEnvironment } from '#features/projects/environments/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { requireProject } from './commands.ts';
import type { ProjectFlags } from './project-flags.ts';
import * as store from './store.ts';

/**
 * Adds an environment to a project, optionally with a default strategy. Its flags are off there. Rejects with 409 when
 * the project has the environment already.
 */
export async function addEnvironment(
  tx: Tx,
  flags: ProjectFlags,
  place: { readonly project: string; readonly environment: string },
  defaultStrategy?: DefaultStrategyBody | null,
): Promise<void> {
  const { project, environment } = place;
  await requireProject(tx.db, project);
  await requireEnvironment(tx.db, environment);
  const existing = await listEnvironmentsOfProject(tx.db, project);
  if (existing.some(({ name }) => name === environment)) {
    throw new Problem('ConflictError', `The project ${project} has the environment ${environment} already.`);
  }
  await store.addProjectEnvironments(tx, project, [environment]);
  await flags.connect(tx, project, environment);
  tx.record({ type: 'project-environment-added', project, environment });
  if (defaultStrategy) await flags.setDefaultStrategy(tx, place, defaultStrategy);
}

/**
 * Removes an environment, also the last one, from a project and switches its flags off there. Keeps their strategies
 * for the case that the environment is added again.
 */
export async function removeEnvironment(
  tx: Tx,
  flags: ProjectFlags,
  project: string,
  environment: string,
): Promise<void> {
  await requireProject(tx.db, project);
  const existing = await listEnvironmentsOfProject(tx.db, project);
  if (!existing.some(({ name }) => name === environment)) {
    throw new Problem('NotFoundError', `The project ${project} has no environment ${environment}.`);
  }
  await store.removeProjectEnvironment(tx, project, environment);
  await flags.disconnect(tx, project, environment);
  tx.record({ type: 'project-environment-removed', project, environment });
}
