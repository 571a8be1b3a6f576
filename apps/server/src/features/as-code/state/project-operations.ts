import { setRequiredApprovals } from '#features/flags/change-control/index.ts';
import type { ProjectWithEnvironments } from '#features/flags/definitions/index.ts';
import { projectFlags } from '#features/flags/flags/index.ts';
import {
  addEnvironment,
  anyName,
  checkNaming,
  checkReasonRule,
  createProject,
  noReasonRequired,
  type Project,
  removeEnvironment,
  toLinkTemplates,
  updateProject,
} from '#features/projects/projects/index.ts';
import { Problem } from '#kernel/errors.ts';
import { limitFault } from '#kernel/limits.ts';
import type { Tx } from '#storage/tx.ts';
import type { StateChange } from './changes.ts';
import type { CurrentState } from './current-state.ts';
import type { DesiredProject } from './desired-state.ts';
import { type Comparison, type Operation, toStateChange } from './operations.ts';
import type { PlanOptions, StateFault } from './options.ts';

/** Compares projects. `after` also contains the projects that the state does not name, unchanged. */
export function compareProjects(
  current: CurrentState,
  desired: readonly DesiredProject[],
  { limits, now }: Pick<PlanOptions, 'limits' | 'now'>,
  faults: StateFault[],
): Comparison<ProjectWithEnvironments> {
  const after = new Map<string, ProjectWithEnvironments>();
  for (const [id, project] of current.projects) {
    after.set(id, { project, environments: current.environmentsOf.get(id) ?? [] });
  }
  const known = new Set(current.environments.map(({ name }) => name));
  const operations = desired.flatMap((project): Operation[] => {
    const unknown = project.environments?.find((name) => !known.has(name));
    if (unknown !== undefined) {
      const message = `must be existing environments: there is no environment ${unknown}`;
      faults.push({ kind: 'project', name: project.id, path: 'environments', message });
      return [];
    }
    const invalid = ruleError(project);
    if (invalid !== undefined) {
      faults.push({ kind: 'project', name: project.id, ...invalid });
      return [];
    }
    const old = current.projects.get(project.id);
    return old === undefined
      ? createOperations(project, current, { limits, now }, after)
      : changeOperations(project, old, projectFlags(limits.flags), after);
  });
  const createsProject = desired.some(({ id }) => !current.projects.has(id));
  if (createsProject && after.size + current.hiddenEntities.projects > limits.projects) {
    const message = limitFault(limits.projects, 'projects');
    faults.push({ kind: 'project', name: '', path: '', message });
  }
  return { operations, after };
}

function createOperations(
  { id, ...desired }: DesiredProject,
  current: CurrentState,
  { limits, now }: Pick<PlanOptions, 'limits' | 'now'>,
  after: Map<string, ProjectWithEnvironments>,
): Operation[] {
  const defaultEnvironments = current.environments.filter(({ enabled }) => enabled).map(({ name }) => name);
  const environments = desired.environments ?? defaultEnvironments;
  const input = {
    name: desired.name ?? id,
    description: desired.description ?? null,
    mode: desired.mode ?? 'open',
    defaultStickiness: desired.defaultStickiness ?? 'default',
    featureLimit: desired.featureLimit ?? null,
    naming: desired.featureNaming === undefined ? anyName : checkNaming(desired.featureNaming),
    changeReason: desired.changeReason === undefined ? noReasonRequired : checkReasonRule(desired.changeReason),
    linkTemplates: toLinkTemplates(desired.linkTemplates ?? []),
  } as const;
  const dates = { createdAt: now, updatedAt: now, archivedAt: null };
  after.set(id, { project: { id, ...input, ...dates }, environments });
  const change = toStateChange('project-created', 'project', id, id, undefined, { ...fieldsOf(input), environments });
  return [
    {
      change,
      run: async (tx) =>
        void (await createProject(tx, limits.projects, setRequiredApprovals, { id, ...input, environments })),
    },
  ];
}

function changeOperations(
  desired: DesiredProject,
  old: Project,
  flags: ReturnType<typeof projectFlags>,
  after: Map<string, ProjectWithEnvironments>,
): Operation[] {
  const { id, name, description, mode, defaultStickiness, featureLimit } = desired;
  const present = after.get(id)?.environments ?? [];
  const environments = desired.environments ?? present;
  const input = {
    name: name ?? old.name,
    description: description === undefined ? old.description : description,
    mode: mode ?? old.mode,
    defaultStickiness: defaultStickiness ?? old.defaultStickiness,
    featureLimit: featureLimit === undefined ? old.featureLimit : featureLimit,
    naming: desired.featureNaming === undefined ? old.naming : checkNaming(desired.featureNaming),
    changeReason: desired.changeReason === undefined ? old.changeReason : checkReasonRule(desired.changeReason),
    linkTemplates: desired.linkTemplates === undefined ? old.linkTemplates : toLinkTemplates(desired.linkTemplates),
  };
  after.set(id, { project: { ...old, ...input }, environments });
  const change = toStateChange('project-updated', 'project', id, id, fieldsOf(old), fieldsOf(input));
  const inEnvironment = (type: StateChange['type'], environment: string): StateChange => ({
    ...toStateChange(type, 'project', id, id, undefined, undefined),
    environment,
  });
  const added = environments.filter((name) => !present.includes(name));
  const removed = present.filter((name) => !environments.includes(name));
  return [
    ...(change.fields.length === 0
      ? []
      : [{ change, run: async (tx: Tx) => void (await updateProject(tx, id, input)) }]),
    ...added.map((environment) => ({
      change: inEnvironment('project-environment-added', environment),
      run: (tx: Tx) => addEnvironment(tx, flags, { project: id, environment }),
    })),
    ...removed.map((environment) => ({
      change: inEnvironment('project-environment-removed', environment),
      run: (tx: Tx) => removeEnvironment(tx, flags, id, environment),
    })),
  ];
}

type ProjectFields =
  | 'name'
  | 'description'
  | 'mode'
  | 'defaultStickiness'
  | 'featureLimit'
  | 'naming'
  | 'changeReason'
  | 'linkTemplates';

/** Returns the fields of a project by their names in a state. */
function fieldsOf(project: Pick<Project, ProjectFields>) {
  const { name, description, mode, defaultStickiness, featureLimit, naming, linkTemplates, changeReason } = project;
  const fields = { name, description, mode, defaultStickiness, featureLimit, featureNaming: naming, linkTemplates };
  return changeReason.required ? { ...fields, changeReason } : fields;
}

/** Returns what is wrong with the patterns of a project, with the path of the pattern. */
function ruleError({ featureNaming, changeReason }: DesiredProject): { path: string; message: string } | undefined {
  return (
    problemOf('featureNaming.pattern', () => featureNaming && checkNaming(featureNaming)) ??
    problemOf('changeReason.pattern', () => changeReason && checkReasonRule(changeReason))
  );
}

function problemOf(path: string, check: () => unknown): { path: string; message: string } | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { path, message: error.message };
  }
}
