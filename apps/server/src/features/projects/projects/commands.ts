import { makeOwner } from '#features/people/access/index.ts';
import { endTokensOfProject } from '#features/people/api-tokens/index.ts';
import { listEnvironments } from '#features/projects/environments/index.ts';
import { unknownProject } from '#http/permission.ts';
import type { Author } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { limitReached } from '#kernel/limits.ts';
import { isHiddenFrom, nameTaken } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import {
  anyName,
  type ChangeReasonRule,
  defaultProject,
  type FeatureNaming,
  idFromName,
  type LinkTemplate,
  noReasonRequired,
  type Project,
  type ProjectMode,
  projectEventData,
} from './project.ts';
import type { DeleteProjectData, ProjectFlags, SetRequiredApprovals } from './project-flags.ts';
import * as store from './store.ts';

export interface ProjectInput {
  readonly id?: string | undefined;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly mode?: ProjectMode | undefined;
  readonly defaultStickiness?: string | undefined;
  readonly featureLimit?: number | null | undefined;
  readonly naming?: FeatureNaming | undefined;
  readonly changeReason?: ChangeReasonRule | undefined;
  readonly linkTemplates?: readonly LinkTemplate[] | undefined;
  /** The names of its environments, none for an empty list; all enabled environments when absent. */
  readonly environments?: readonly string[] | undefined;
  /** The reviewed environments, among `environments`. */
  readonly changeRequestEnvironments?: readonly ReviewedEnvironmentInput[] | undefined;
}

interface ReviewedEnvironmentInput {
  readonly name: string;
  readonly requiredApprovals: number;
}

export interface CreatedProject {
  readonly project: Project;
  readonly environments: readonly string[];
  readonly changeRequestEnvironments: readonly ReviewedEnvironmentInput[];
}

/**
 * Creates a project and makes its creator the Owner. Without an id, makes a free one from the name. Rejects with 409
 * when the id is taken, and with 400 over the limit and for an unknown environment.
 */
export async function createProject(
  tx: Tx,
  limit: number,
  setRequiredApprovals: SetRequiredApprovals,
  input: ProjectInput,
): Promise<CreatedProject> {
  if (input.id !== undefined) await requireFreeId(tx.db, tx.by, input.id);
  if ((await store.countProjects(tx.db)) >= limit) {
    throw limitReached(limit, 'projects');
  }
  const environments = await chooseEnvironments(tx.db, input.environments);
  const { changeRequestEnvironments: reviewed = [] } = input;
  const foreign = reviewed.findIndex(({ name }) => !environments.includes(name));
  if (foreign >= 0)
    throw badField(`changeRequestEnvironments.${foreign}.name`, 'must be an environment of the project');
  const project: Project = {
    id: input.id ?? (await freeId(tx.db, input.name)),
    name: input.name,
    description: input.description ?? null,
    mode: input.mode ?? 'open',
    defaultStickiness: input.defaultStickiness ?? 'default',
    naming: input.naming ?? anyName,
    changeReason: input.changeReason ?? noReasonRequired,
    linkTemplates: input.linkTemplates ?? [],
    featureLimit: input.featureLimit ?? null,
    createdAt: tx.now,
    updatedAt: tx.now,
    archivedAt: null,
  };
  await store.insertProject(tx, project);
  await store.addProjectEnvironments(tx, project.id, environments);
  await makeOwner(tx, project.id);
  tx.record({ type: 'project-created', project: project.id, data: { ...projectEventData(project), environments } });
  for (const { name, requiredApprovals } of reviewed)
    await setRequiredApprovals(tx, project.id, name, requiredApprovals);
  return { project, environments, changeRequestEnvironments: reviewed };
}

export type ProjectChanges = Partial<Omit<ProjectInput, 'id' | 'environments' | 'changeRequestEnvironments'>>;

/** Changes the fields that `input` has. Records nothing when nothing changes. */
export async function updateProject(tx: Tx, id: string, input: ProjectChanges): Promise<Project> {
  const before = await requireProject(tx.db, id);
  const after: Project = {
    ...before,
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : input.description,
    mode: input.mode ?? before.mode,
    defaultStickiness: input.defaultStickiness ?? before.defaultStickiness,
    naming: input.naming ?? before.naming,
    changeReason: input.changeReason ?? before.changeReason,
    linkTemplates: input.linkTemplates ?? before.linkTemplates,
    featureLimit: input.featureLimit === undefined ? before.featureLimit : input.featureLimit,
    updatedAt: tx.now,
  };
  const [preData, data] = [projectEventData(before), projectEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  await store.updateProjectRow(tx, after);
  tx.record({ type: 'project-updated', project: id, preData, data });
  return after;
}

/**
 * Deletes a project with its archived flags, its other data, and the API tokens that are valid for no other project.
 * Rejects with 403 for the default project and while the project has flags that are not archived.
 */
export async function deleteProject(
  tx: Tx,
  flags: ProjectFlags,
  projectDataDeleters: readonly DeleteProjectData[],
  id: string,
): Promise<void> {
  const { mode } = await requireRemovable(tx, flags, id);
  await flags.deleteArchived(tx, id);
  for (const deleteProjectData of projectDataDeleters) await deleteProjectData(tx, id);
  await endTokensOfProject(tx, id);
  await store.deleteProjectRow(tx, id);
  if (mode === 'private') await store.rememberDeletedPrivate(tx, id);
  tx.record({ type: 'project-deleted', project: id });
}

/** Archives a project; records nothing if it is archived already. Rejects with 403 like {@link deleteProject}. */
export async function archiveProject(tx: Tx, flags: ProjectFlags, id: string): Promise<void> {
  const { archivedAt } = await requireRemovable(tx, flags, id);
  if (archivedAt !== null) return;
  await store.setArchivedAt(tx, id, tx.now);
  tx.record({ type: 'project-archived', project: id });
}

/** Restores an archived project; records nothing if it is not archived. */
export async function reviveProject(tx: Tx, id: string): Promise<void> {
  if ((await requireProject(tx.db, id)).archivedAt === null) return;
  await store.setArchivedAt(tx, id, null);
  tx.record({ type: 'project-revived', project: id });
}

/** Returns the project. Rejects with 403 for the default project and while it has flags that are not archived. */
async function requireRemovable(tx: Tx, flags: ProjectFlags, id: string): Promise<Project> {
  const project = await requireProject(tx.db, id);
  if (id === defaultProject)
    throw new Problem(
      'InvalidOperationError',
      `The project ${id} is the default project and cannot be deleted or archived.`,
    );
  const active = (await flags.statistics(tx.db, tx.now, id)).get(id)?.active ?? 0;
  if (active === 0) return project;
  throw new Problem(
    'InvalidOperationError',
    `The project ${id} has ${active} flags that are not archived. Archive them first.`,
  );
}

/** Returns the project. Rejects with 403 when it is archived. */
export async function requireProjectInUse(db: Db, id: string): Promise<Project> {
  const project = await requireProject(db, id);
  if (project.archivedAt === null) return project;
  throw new Problem('InvalidOperationError', `The project ${id} is archived. Revive it first.`);
}

/** Returns the project. Rejects with 404 when it does not exist. */
export async function requireProject(db: Db, id: string): Promise<Project> {
  const project = await store.findProject(db, id);
  if (project === undefined) throw unknownProject(id);
  return project;
}

/** Ids that collide with segments of route paths. */
const reserved: readonly string[] = ['archive', 'revive'];

/**
 * Rejects with 409 when the id is taken or the author may not see the project that had it, and with 400 when it is a
 * reserved word.
 */
export async function requireFreeId(db: Db, by: Pick<Author, 'hidden'>, id: string): Promise<void> {
  if (reserved.includes(id)) throw badField('id', `must not be ${id}, which is a reserved word`);
  const isSeen = !isHiddenFrom(by, { project: id });
  if (isSeen && (await store.findProject(db, id)) === undefined) return;
  throw nameTaken(isSeen, id, `A project with the id ${id} exists already.`, 'id');
}

async function freeId(db: Db, name: string): Promise<string> {
  const id = idFromName(name) || 'project';
  // The id of a deleted private project would reveal its events to those who can see the new one.
  const isFree =
    !reserved.includes(id) &&
    (await store.findProject(db, id)) === undefined &&
    !(await store.isDeletedPrivate(db, id));
  return isFree ? id : `${id}-${newId().slice(0, 8)}`;
}

async function chooseEnvironments(db: Db, requested: readonly string[] | undefined): Promise<readonly string[]> {
  const known = await listEnvironments(db);
  const names = new Set(known.map(({ name }) => name));
  const unknown = requested?.filter((name) => !names.has(name)) ?? [];
  if (unknown.length > 0) {
    throw new Problem('BadDataError', `Unknown environments: ${unknown.join(', ')}. Create them first.`, {
      details: unknown.map((name) => ({ message: `there is no environment ${name}`, path: 'environments' })),
    });
  }
  return known
    .filter((environment) => (requested === undefined ? environment.enabled : requested.includes(environment.name)))
    .map(({ name }) => name);
}
