import type { Dependency } from '#features/flags/dependencies/index.ts';
import { dependenciesOf } from '#features/flags/dependencies/index.ts';
import { findFeatures, tagsByFeature } from '#features/flags/feature/index.ts';
import { listLinks } from '#features/flags/links/index.ts';
import { listStrategies } from '#features/flags/strategies/index.ts';
import { listVariants } from '#features/flags/variants/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Db } from '#storage/tx.ts';
import type { FlagDefinition, FlagInEnvironment } from './flag-definition.ts';

/**
 * Loads the definitions of the named flags, archived flags included, in the order of the names; unknown names are left
 * out. Takes eight statements for each thousand names.
 */
export async function loadFlagDefinitions(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, FlagDefinition>> {
  const flags = new Map<string, FlagDefinition>();
  for (const part of chunksOf(names)) {
    const found = new Map((await loadChunk(db, part)).map((flag) => [flag.feature.name, flag]));
    for (const name of part) {
      const flag = found.get(name);
      if (flag !== undefined) flags.set(name, flag);
    }
  }
  return flags;
}

/** Returns the dependencies in which the named flags are child or parent. Takes two statements per thousand names. */
export async function loadDependencies(db: Db, names: readonly string[]): Promise<Dependency[]> {
  const found: Dependency[] = [];
  for (const part of chunksOf(names)) {
    const { parents, children } = await dependenciesOf(db, part);
    found.push(...parents, ...children);
  }
  return found;
}

/** Returns the names that exist, in any project and archived or not. Takes one statement for each thousand names. */
export async function existingFlagNames(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const part of chunksOf(names)) {
    const rows = await db.selectFrom('features').select('name').where('name', 'in', part).execute();
    for (const { name } of rows) present.add(name);
  }
  return present;
}

/** A filter on flags; without fields it matches all flags. */
export interface ListedFlags {
  readonly projects?: readonly string[];
  /** The value of a tag, or `type:value`. */
  readonly tag?: string;
  /** Also matches archived flags. */
  readonly withArchived?: boolean;
}

/** Returns the sorted names of the matching flags, without archived ones unless the filter has them. */
export async function listFlagNames(db: Db, { projects, tag, withArchived = false }: ListedFlags): Promise<string[]> {
  if (projects?.length === 0) return [];
  let query = db.selectFrom('features').select('name');
  if (!withArchived) query = query.where('archived_at', 'is', null);
  if (projects !== undefined) query = query.where('project', 'in', projects);
  if (tag !== undefined) {
    const at = tag.indexOf(':');
    const [type, value] = [tag.slice(0, at), tag.slice(at + 1)];
    query = query.where('name', 'in', (select) =>
      select
        .selectFrom('feature_tags')
        .select('feature_name')
        .where((eb) =>
          eb.or([eb('value', '=', tag), ...(at < 0 ? [] : [eb.and([eb('type', '=', type), eb('value', '=', value)])])]),
        ),
    );
  }
  return (await query.execute()).map(({ name }) => name).toSorted();
}

/** Returns the sorted names of the projects' flags that are not archived, by project, with one statement. */
export async function listFlagNamesByProject(
  db: Db,
  projects: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (projects.length === 0) return new Map();
  const rows = await db
    .selectFrom('features')
    .select(['project', 'name'])
    .where('archived_at', 'is', null)
    .where('project', 'in', projects)
    .orderBy('name')
    .execute();
  const names = new Map<string, string[]>();
  for (const { project, name } of rows) {
    const own = names.get(project);
    if (own === undefined) names.set(project, [name]);
    else own.push(name);
  }
  return names;
}

async function loadChunk(db: Db, names: readonly string[]): Promise<FlagDefinition[]> {
  const [features, states, strategies, variants, tags, links, { parents }] = await Promise.all([
    findFeatures(db, names),
    statesOf(db, names),
    listStrategies(db, names),
    listVariants(db, names),
    tagsByFeature(db, names),
    listLinks(db, names),
    dependenciesOf(db, names),
  ]);
  const strategiesOf = Map.groupBy(strategies, (strategy) => placeOf(strategy.featureName, strategy.environment));
  const statesByName = Map.groupBy(states, (state) => state.feature_name);
  const variantsOf = new Map(variants.map((own) => [placeOf(own.featureName, own.environment), own.variants]));
  const linksByName = Map.groupBy(links, (link) => link.featureName);
  const parentOf = new Map(parents.map((dependency) => [dependency.child, dependency]));
  return features.map((feature) => ({
    feature,
    tags: tags.get(feature.name) ?? [],
    links: linksByName.get(feature.name) ?? [],
    dependency: parentOf.get(feature.name),
    environments: new Map(
      (statesByName.get(feature.name) ?? []).map(({ environment, enabled }): [string, FlagInEnvironment] => {
        const place = placeOf(feature.name, environment);
        const own = { strategies: strategiesOf.get(place) ?? [], variants: variantsOf.get(place) ?? [] };
        return [environment, { enabled: enabled === 1, ...own }];
      }),
    ),
  }));
}

/** A blank separates the two names, because neither can contain a blank. */
function placeOf(name: string, environment: string): string {
  return `${name} ${environment}`;
}

async function statesOf(db: Db, names: readonly string[]) {
  return db
    .selectFrom('feature_environments')
    .select(['feature_name', 'environment', 'enabled'])
    .where('feature_name', 'in', names)
    .orderBy('environment')
    .execute();
}
