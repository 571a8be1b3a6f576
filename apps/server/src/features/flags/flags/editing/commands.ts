import { type FlagInput, fieldsIn, flagFields } from '@yardarm/contract';
import {
  type FlagDefinition,
  type FlagInEnvironment,
  flagOff,
  loadFlagDefinitions,
  off,
  writeFlags,
} from '#features/flags/definitions/index.ts';
import {
  type Feature,
  type FeatureRef,
  type FeatureRefs,
  findFeature,
  newFeature,
  requireFeature,
  requireFeatures,
  requireNotArchived,
  requireUsable,
  tagsByFeature,
} from '#features/flags/feature/index.ts';
import { linkFrom } from '#features/flags/links/index.ts';
import type { Strategy } from '#features/flags/strategies/index.ts';
import { distinctTags, ensureTags, type NewTag, withoutColors } from '#features/flags/tags/index.ts';
import { listEnvironmentsOfProject } from '#features/projects/environments/index.ts';
import { type Project, requireNamed, requireProjectInUse } from '#features/projects/projects/index.ts';
import type { Author } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { isSameJson } from '#kernel/same-json.ts';
import { isHiddenFrom, reservedName } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { requireFeatureLimit, requireProjectFeatureLimit } from './feature-limits.ts';

export interface FeatureInput extends NewFeature {
  readonly tags?: readonly NewTag[] | undefined;
}

/** Changes of a flag's fields; absent fields stay. */
export interface FeatureChange extends FlagInput {
  /** Must equal the present state: archiving has routes of its own. */
  readonly archived?: boolean | undefined;
}

/**
 * Creates a flag, off in every environment of its project, with links made from the project's link templates. Rejects
 * with 409 when a flag of any project, archived or not, has the name; with 403 when the project's flag limit is
 * reached; with 400 when `limit` flags are active or a tag type is unknown.
 */
export async function createFeature(tx: Tx, limit: number, input: FeatureInput): Promise<Feature> {
  const { flag, linkTemplates } = await planNewFlag(tx, limit, input);
  await ensureTags(tx, input.tags ?? [], (index) => `tags.${index}.type`);
  const tags = withoutColors(distinctTags(input.tags ?? []));
  const links = linkTemplates.map((template) => linkFrom(template, flag.feature));
  await writeFlags(tx, [{ before: undefined, after: { ...flag, tags, links } }]);
  return flag.feature;
}

/**
 * Creates a flag with the metadata, strategies, variants and dependency of another flag of the project, off in every
 * environment. Without the dependency the clone could be on where the original is off. With `replaceGroupId`, the clone
 * hashes users by its own name, independently of the original.
 */
export async function cloneFeature(
  tx: Tx,
  limit: number,
  { name, replaceGroupId, ...source }: FeatureRef & { readonly name: string; readonly replaceGroupId: boolean },
): Promise<Feature> {
  const original = await requireUsable(tx.db, source);
  const { project } = original;
  const { flag } = await planNewFlag(tx, limit, { ...fieldsIn(flagFields, original), stale: false, name, project });
  const { dependency, environments = new Map<string, FlagInEnvironment>() } =
    (await loadFlagDefinitions(tx.db, [original.name])).get(original.name) ?? {};
  const copyOf = (strategy: Strategy): Strategy => ({
    ...strategy,
    id: newId(),
    featureName: name,
    createdAt: tx.now,
    parameters:
      replaceGroupId && strategy.parameters.groupId !== undefined
        ? { ...strategy.parameters, groupId: name }
        : strategy.parameters,
  });
  const copied = [...environments]
    .filter(([environment]) => flag.environments.has(environment))
    .map(([environment, { strategies }]) => [environment, { ...off, strategies: strategies.map(copyOf) }] as const);
  const others = [...flag.environments].filter(([environment]) => !environments.has(environment));
  const before = { ...flag, environments: new Map([...copied, ...others]) };
  const withVariants = [...before.environments].map(
    ([environment, state]) =>
      [environment, { ...state, variants: environments.get(environment)?.variants ?? [] }] as const,
  );
  const after = {
    ...before,
    environments: new Map(withVariants),
    dependency: dependency && { ...dependency, child: name },
  };
  // The events of variants come after those of the strategies in all environments.
  await writeFlags(tx, [{ before: undefined, after: before }]);
  await writeFlags(tx, [{ before, after }]);
  return flag.feature;
}

/** Updates the fields of a flag; a change of `stale` has events of its own. Records no event when nothing changes. */
export async function updateFeature(tx: Tx, ref: FeatureRef, change: FeatureChange): Promise<void> {
  return changeFeature(tx, await requireFeature(tx.db, ref), change);
}

/** Runs {@link updateFeature} with the change that `edit` derives from the current flag. */
export async function editFeature(tx: Tx, ref: FeatureRef, edit: (current: Feature) => FeatureChange): Promise<void> {
  const current = await requireUsable(tx.db, ref);
  return changeFeature(tx, current, edit(current));
}

async function changeFeature(tx: Tx, before: Feature, change: FeatureChange): Promise<void> {
  if (change.archived !== undefined && change.archived !== (before.archivedAt !== null)) {
    throw badField(
      'archived',
      'cannot be changed here: archive with DELETE, revive with POST /api/admin/archive/revive/:featureName',
    );
  }
  requireNotArchived([before]);
  await changeFields(tx, [{ before, after: { ...before, ...fieldsIn(flagFields, change) } }]);
}

async function changeFields(
  tx: Tx,
  changes: readonly { readonly before: Feature; readonly after: Feature }[],
): Promise<void> {
  const changed = changes.filter(({ before, after }) => !isSameJson(before, after));
  const tags = await tagsByFeature(
    tx.db,
    changed.map(({ after }) => after.name),
  );
  const withTags = (feature: Feature) => ({ ...flagOff(feature, []), tags: tags.get(feature.name) ?? [] });
  await writeFlags(
    tx,
    changed.map(({ before, after }) => ({ before: withTags(before), after: withTags(after) })),
  );
}

/** Sets or clears the stale mark of flags. Skips flags that have the requested mark already. */
export async function markStale(tx: Tx, refs: FeatureRefs & { readonly stale: boolean }): Promise<void> {
  const features = await requireFeatures(tx.db, refs);
  requireNotArchived(features);
  await changeFields(
    tx,
    features.map((before) => ({ before, after: { ...before, stale: refs.stale } })),
  );
}

/** Rejects with 409 when a flag has the name. Names are unique over all projects, archived flags included. */
export async function requireFreeName(db: Db, by: Pick<Author, 'hidden'>, name: string): Promise<void> {
  const taken = await findFeature(db, name);
  if (taken === undefined) return;
  if (isHiddenFrom(by, taken)) throw reservedName(name);
  const message =
    taken.archivedAt === null
      ? `A flag named ${name} exists already.`
      : `An archived flag is named ${name}. Revive or delete it, or choose another name.`;
  throw new Problem('NameExistsError', message, { details: [{ message, path: 'name' }] });
}

interface NewFeature extends FlagInput {
  readonly name: string;
  readonly project: string;
}

/** Checks that a flag may be created, and returns it, off in every environment of its project. */
async function planNewFlag(
  tx: Tx,
  limit: number,
  input: NewFeature,
): Promise<{ flag: FlagDefinition } & Pick<Project, 'linkTemplates'>> {
  const project = await requireProjectInUse(tx.db, input.project);
  requireNamed(project, input.name);
  await requireFreeName(tx.db, tx.by, input.name);
  await requireFeatureLimit(tx, limit, 1);
  await requireProjectFeatureLimit(tx.db, project, 1);
  const environments = (await listEnvironmentsOfProject(tx.db, project.id)).map(({ name }) => name);
  const feature = newFeature(input, { now: tx.now, userId: tx.by.actor.userId });
  return { flag: flagOff(feature, environments), linkTemplates: project.linkTemplates };
}
