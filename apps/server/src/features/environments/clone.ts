import { badField } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import { createEnvironment, requireEnvironment } from './commands.ts';
import type { Environment } from './environment.ts';
import * as store from './store.ts';

/** What is copied into a new environment from another one. */
export interface EnvironmentCopy {
  readonly from: string;
  readonly to: string;
  /** The projects that have both, by id. */
  readonly projects: readonly string[];
  /** Whether roles grant in the new one what they grant in the other. */
  readonly permissions: boolean;
}

/** Copies what somebody keeps of an environment. Whoever keeps it provides this, and records what the copy does not tell. */
export type CopyOfEnvironment = (tx: Tx, copy: EnvironmentCopy) => Promise<void>;

export interface CloneInput {
  readonly name: string;
  readonly type: string;
  /** Those that get the new environment; all that have the other one when absent. */
  readonly projects?: readonly string[] | undefined;
  readonly clonePermissions?: boolean | undefined;
}

/**
 * Creates an environment like another one: in the same projects flags are on or off in it as in the other, by the same
 * strategies and with the same variants. 404 for an unknown one, 409 when the name is taken, 400 over the limit and for
 * an unknown project; a project without the other environment gets the new one with all its flags off.
 */
export async function cloneEnvironment(
  tx: Tx,
  limit: number,
  copies: readonly CopyOfEnvironment[],
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
  for (const copyWhatIsKept of copies) await copyWhatIsKept(tx, copy);
  return created;
}

async function chooseProjects(tx: Tx, from: string, wanted: readonly string[] | undefined): Promise<string[]> {
  if (wanted === undefined) return (await store.projectsOf(tx.db, from)).map(({ project }) => project);
  const projects = [...new Set(wanted)].sort();
  const known = await store.knownProjects(tx.db, projects);
  const unknown = projects.find((id) => !known.has(id));
  if (unknown !== undefined) throw badField('projects', `must name projects, and there is no ${unknown}`);
  return projects;
}
