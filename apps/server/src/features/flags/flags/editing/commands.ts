import { distinctTags, ensureTags, type NewTag, withoutColors } from '#features/flags/tags/index.ts';
import { listEnvironmentsOfProject } from '#features/projects/environments/index.ts';
import { type Project, requireNamed, requireProjectInUse } from '#features/projects/projects/index.ts';
import type { Author } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { isHiddenFrom, reservedName } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { dependenciesOf, presentDependency, putDependency } from '../dependencies/index.ts';
import {
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  type FeatureRefs,
  type FeatureTypeId,
  featureEventData,
  findFeature,
  insertFeature,
  insertTags,
  listTags,
  recordEventsWithTags,
  recordFeatureEvents,
  requireFeature,
  requireFeatures,
  requireNotArchived,
  requireUsable,
  setStale,
  updateFeatureRow,
} from '../feature/index.ts';
import { insertLinks, linkEventData, linkFrom } from '../links/index.ts';
import { insertStates } from '../states/index.ts';
import { insertStrategies, listStrategies, strategyEventData } from '../strategies/index.ts';
import { putVariants, variantsByEnvironment } from '../variants/index.ts';
import { requireFeatureLimit, requireProjectFeatureLimit } from './feature-limits.ts';

export interface FeatureInput {
  readonly project: string;
  readonly name: string;
  readonly type?: FeatureTypeId | undefined;
  readonly description?: string | null | undefined;
  readonly impressionData?: boolean | undefined;
  readonly tags?: readonly NewTag[] | undefined;
}

/** Changes of a flag's fields; absent fields stay. */
export interface FeatureChange {
  readonly type?: FeatureTypeId | undefined;
  readonly description?: string | null | undefined;
  readonly impressionData?: boolean | undefined;
  readonly stale?: boolean | undefined;
  /** Must equal the present state: archiving has routes of its own. */
  readonly archived?: boolean | undefined;
}

/**
 * Creates a flag, off in every environment of its project, with links made from the project's link templates. Rejects
 * with 409 when a flag of any project, archived or not, has the name; with 403 when the project's flag limit is
 * reached; with 400 when `limit` flags are active or a tag type is unknown.
 */
export async function createFeature(tx: Tx, limit: number, input: FeatureInput): Promise<Feature> {
  const { feature, linkTemplates } = await addFeature(tx, limit, {
    name: input.name,
    project: input.project,
    type: input.type ?? 'release',
    description: input.description ?? null,
    impressionData: input.impressionData ?? false,
  });
  const tags = withoutColors(distinctTags(input.tags ?? []));
  await ensureTags(tx, input.tags ?? [], (index) => `tags.${index}.type`);
  await insertTags(
    tx,
    tags.map((tag) => ({ featureName: feature.name, ...tag })),
  );
  const links = linkTemplates.map((template) => linkFrom(template, feature));
  await insertLinks(tx, links);
  recordEventsWithTags(
    tx,
    feature,
    tags,
    { type: 'feature-created', data: featureEventData(feature, tags) },
    ...tags.map((tag) => ({ type: 'feature-tagged' as const, data: tag })),
    ...links.map((link) => ({ type: 'feature-link-added' as const, data: linkEventData(link) })),
  );
  return feature;
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
  const { project, type, description, impressionData } = original;
  const { feature } = await addFeature(tx, limit, { name, project, type, description, impressionData });
  const environments = (await listEnvironmentsOfProject(tx.db, project)).map((environment) => environment.name);
  const copied = (await listStrategies(tx.db, [original.name])).filter((strategy) =>
    environments.includes(strategy.environment),
  );
  const strategies = copied.map((strategy) => ({
    ...strategy,
    id: newId(),
    featureName: name,
    createdAt: tx.now,
    parameters:
      replaceGroupId && strategy.parameters.groupId !== undefined
        ? { ...strategy.parameters, groupId: name }
        : strategy.parameters,
  }));
  await insertStrategies(tx, strategies);
  const variants = [...(await variantsByEnvironment(tx.db, original.name))].filter(([environment]) =>
    environments.includes(environment),
  );
  for (const [environment, list] of variants) await putVariants(tx, name, environment, list);
  const dependencies = (await dependenciesOf(tx.db, [original.name])).parents;
  for (const dependency of dependencies) await putDependency(tx, { ...dependency, child: name });
  recordEventsWithTags(
    tx,
    feature,
    [],
    { type: 'feature-created', data: featureEventData(feature, []) },
    ...strategies.map((strategy) => ({
      type: 'feature-strategy-add' as const,
      environment: strategy.environment,
      data: strategyEventData(strategy),
    })),
    ...variants.map(([environment, list]) => ({
      type: 'feature-environment-variants-updated' as const,
      environment,
      preData: { variants: [] },
      data: { variants: list },
    })),
    ...dependencies.map((dependency) => ({
      type: 'feature-dependency-added' as const,
      data: presentDependency(dependency),
    })),
  );
  return feature;
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
  const metadata: Feature = {
    ...before,
    type: change.type ?? before.type,
    description: change.description === undefined ? before.description : change.description,
    impressionData: change.impressionData ?? before.impressionData,
  };
  const after: Feature = { ...metadata, stale: change.stale ?? before.stale };
  const metadataChanged = JSON.stringify(metadata) !== JSON.stringify(before);
  if (!metadataChanged && after.stale === before.stale) return;
  await updateFeatureRow(tx, after);
  const events: FeatureEvent[] = [];
  const tags = await listTags(tx.db, after.name);
  if (metadataChanged) {
    const [preData, data] = [featureEventData(before, tags), featureEventData(metadata, tags)];
    events.push({ type: 'feature-metadata-updated', preData, data });
  }
  if (after.stale !== before.stale) events.push(staleEvent(after.stale));
  recordEventsWithTags(tx, after, tags, ...events);
}

/** Sets or clears the stale mark of flags. Skips flags that have the requested mark already. */
export async function markStale(tx: Tx, refs: FeatureRefs & { readonly stale: boolean }): Promise<void> {
  const features = await requireFeatures(tx.db, refs);
  requireNotArchived(features);
  const changed = features.filter(({ stale }) => stale !== refs.stale);
  if (changed.length === 0) return;
  await setStale(
    tx,
    changed.map(({ name }) => name),
    refs.stale,
  );
  await recordFeatureEvents(
    tx,
    changed.map((feature) => ({ feature, event: staleEvent(refs.stale) })),
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

type NewFeature = Pick<Feature, 'name' | 'project' | 'type' | 'description' | 'impressionData'>;

async function addFeature(
  tx: Tx,
  limit: number,
  input: NewFeature,
): Promise<{ feature: Feature } & Pick<Project, 'linkTemplates'>> {
  const project = await requireProjectInUse(tx.db, input.project);
  requireNamed(project, input.name);
  await requireFreeName(tx.db, tx.by, input.name);
  await requireFeatureLimit(tx, limit, 1);
  await requireProjectFeatureLimit(tx.db, project, 1);
  const feature: Feature = {
    ...input,
    stale: false,
    createdAt: tx.now,
    createdByUserId: tx.by.actor.userId,
    archivedAt: null,
    lastSeenAt: null,
    preLiveAt: null,
    liveAt: null,
    completed: null,
  };
  await insertFeature(tx, feature);
  const environments = await listEnvironmentsOfProject(tx.db, input.project);
  await insertStates(
    tx,
    feature.name,
    environments.map(({ name }) => name),
  );
  return { feature, linkTemplates: project.linkTemplates };
}

function staleEvent(stale: boolean): FeatureEvent {
  return { type: stale ? 'feature-stale-on' : 'feature-stale-off' };
}
