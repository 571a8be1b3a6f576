import { badField } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { createEnvironment, requireEnvironment } from './commands.ts';
import type { Environment } from './environment.ts';
import * as store from './store.ts';

/** Source and target of a clone. */
export interface EnvironmentCopy {
  readonly from: string;
  readonly to: string;
  /** Ids of the projects that get the new environment. */
  readonly projects: readonly string[];
  /** True when permissions of roles in the source are copied to the target. */
  readonly permissions: boolean;
}

/** Copies the environment data of one feature and records events. Each feature with such data provides a function. */
export type CopyEnvironmentData = (tx: Tx, copy: EnvironmentCopy) => Promise<void>;

export interface CloneInput {
  readonly name: string;
  readonly type: string;
  /** Projects that get the new environment; by default all projects of the source. */
  readonly projects?: readonly string[] | undefined;
  readonly clonePermissions?: boolean | undefined;
}

/**
 * Clones an environment: flags have the same state, strategies and variants in the new environment. In projects without
 * the source environment, all flags are off. Rejects with 404 for an unknown environment, with 409 when the name is
 * taken, and with 400 over the limit and for an unknown project.
 */
export async function cloneEnvironment(
  tx: Tx,
  limit: number,
  copies: readonly CopyEnvironmentData[],
  from: string,
  input: CloneInput,
): Promise<Environment> {
  const { requiredApprovals } = await requireEnvironment(tx.db, from);
  const { name, type } = input;
  const created = await createEnvironment(tx, limit, { name, type, requiredApprovals });
  const projects = await chooseProjects(tx, from, input.projects);
  await store.addToProjects(tx, name, projects);
  for (const project of projects) tx.record({ type: 'project-environment-added', project, environment: name });
  const copy = { from, to: name, projects, permissions: input.clonePermissions ?? false };
  for (const copyData of copies) await copyData(tx, copy);
  return created;
}

async function chooseProjects(tx: Tx, from: string, requested: readonly string[] | undefined): Promise<string[]> {
  if (requested === undefined) return (await store.projectsOf(tx.db, from)).map(({ project }) => project);
  const projects = [...new Set(requested)].sort();
  const known = await store.knownProjects(tx.db, projects);
  const unknown = projects.find((id) => !known.has(id));
  if (unknown !== undefined) throw badField('projects', `must contain ids of existing projects, not ${unknown}`);
  return projects;
}
