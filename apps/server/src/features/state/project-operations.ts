import type { Tx } from '../../storage/tx.ts';
import { setRequiredApprovals } from '../change-control/index.ts';
import { type ProjectOfFlags, projectFlags } from '../flags/index.ts';
import {
  addEnvironment,
  anyName,
  createProject,
  type Project,
  removeEnvironment,
  updateProject,
} from '../projects/index.ts';
import type { StateChange } from './changes.ts';
import { type Compared, changeOf, type Operation } from './operations.ts';
import type { PlanOptions, StateFault } from './options.ts';
import type { WantedProject } from './wanted-state.ts';
import type { World } from './world.ts';

/** Projects as they are wanted; those that nobody names are there too, as they are. */
export function compareProjects(
  world: World,
  wanted: readonly WantedProject[],
  { limits, now }: Pick<PlanOptions, 'limits' | 'now'>,
  faults: StateFault[],
): Compared<ProjectOfFlags> {
  const after = new Map<string, ProjectOfFlags>();
  for (const [id, project] of world.projects) {
    after.set(id, { project, environments: world.environmentsOf.get(id) ?? [] });
  }
  const known = new Set(world.environments.map(({ name }) => name));
  const operations = wanted.flatMap((one): Operation[] => {
    const unknown = one.environments?.find((name) => !known.has(name));
    if (unknown !== undefined) {
      const message = `must be environments that there are, not ${unknown}`;
      faults.push({ kind: 'project', name: one.id, path: 'environments', message });
      return [];
    }
    const old = world.projects.get(one.id);
    return old === undefined
      ? created(one, world, { limits, now }, after)
      : changed(one, old, projectFlags(limits.flags), after);
  });
  if (after.size + world.unseen.projects > limits.projects) {
    const message = `the limit of ${limits.projects} projects would be passed`;
    faults.push({ kind: 'project', name: '', path: '', message });
  }
  return { operations, after };
}

function created(
  { id, ...wanted }: WantedProject,
  world: World,
  { limits, now }: Pick<PlanOptions, 'limits' | 'now'>,
  after: Map<string, ProjectOfFlags>,
): Operation[] {
  const usual = world.environments.filter(({ enabled }) => enabled).map(({ name }) => name);
  const environments = wanted.environments ?? usual;
  const input = {
    name: wanted.name ?? id,
    description: wanted.description ?? null,
    mode: wanted.mode ?? 'open',
    defaultStickiness: wanted.defaultStickiness ?? 'default',
    featureLimit: wanted.featureLimit ?? null,
  } as const;
  const dates = { createdAt: now, updatedAt: now, archivedAt: null };
  after.set(id, { project: { id, ...input, naming: anyName, linkTemplates: [], ...dates }, environments });
  const change = changeOf('project-created', 'project', id, id, undefined, { ...input, environments });
  return [
    {
      change,
      run: async (tx) =>
        void (await createProject(tx, limits.projects, setRequiredApprovals, { id, ...input, environments })),
    },
  ];
}

function changed(
  wanted: WantedProject,
  old: Project,
  flags: ReturnType<typeof projectFlags>,
  after: Map<string, ProjectOfFlags>,
): Operation[] {
  const { id, name, description, mode, defaultStickiness, featureLimit } = wanted;
  const present = after.get(id)?.environments ?? [];
  const environments = wanted.environments ?? present;
  const input = {
    name: name ?? old.name,
    description: description === undefined ? old.description : description,
    mode: mode ?? old.mode,
    defaultStickiness: defaultStickiness ?? old.defaultStickiness,
    featureLimit: featureLimit === undefined ? old.featureLimit : featureLimit,
  };
  after.set(id, { project: { ...old, ...input }, environments });
  const before = {
    name: old.name,
    description: old.description,
    mode: old.mode,
    defaultStickiness: old.defaultStickiness,
    featureLimit: old.featureLimit,
  };
  const change = changeOf('project-updated', 'project', id, id, before, input);
  const inEnvironment = (type: StateChange['type'], environment: string): StateChange => ({
    ...changeOf(type, 'project', id, id, undefined, undefined),
    environment,
  });
  const added = environments.filter((one) => !present.includes(one));
  const removed = present.filter((one) => !environments.includes(one));
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
