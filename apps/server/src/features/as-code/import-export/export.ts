import { fieldsIn, flagFields } from '@yardarm/contract';
import { listContextFields } from '#features/flags/context-fields/index.ts';
import { type FlagDefinition, listFlagNames, loadFlagDefinitions } from '#features/flags/definitions/index.ts';
import { listSegments } from '#features/flags/segments/index.ts';
import { presentStrategy, type Strategy } from '#features/flags/strategies/index.ts';
import { listTagTypes } from '#features/flags/tags/index.ts';
import { contextNamesOf } from '#features/platform/constraints/index.ts';
import { requireEnvironment } from '#features/projects/environments/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import { mapYielding, pagesYielding } from '#kernel/event-loop.ts';
import { JsonText } from '#kernel/json-text.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type ExportLists, exportText } from './export-text.ts';
import { stickyFields } from './sticky-fields.ts';

/** The length, in characters, up to which an event keeps the whole export. */
const maxRecordedExport = 100_000;

/** The flags to export; an empty `features` exports all flags. */
export type ExportQuery = {
  readonly environment: string;
  /** Exports segments with their constraints. Unleash accepts only their names. */
  readonly wholeSegments: boolean;
} & ({ readonly features: readonly string[] } | { readonly tag: string } | { readonly project: string });

/**
 * Exports flags in an environment with the entities that they use, as pieces of JSON in turns with other requests.
 * Archived flags and flags hidden from the caller are left out. Rejects with 404 for an unknown environment or project,
 * and for a named flag that cannot be exported. Uses a constant number of statements for each thousand flags.
 */
export async function exportFlags(tx: Tx, query: ExportQuery, caller: Pick<Identity, 'hidden'>): Promise<string[]> {
  await requireEnvironment(tx.db, query.environment);
  const loaded = await loadFlagDefinitions(tx.db, await selectFlagNames(tx.db, query));
  const flags = [...loaded.values()].filter(
    ({ feature }) => feature.archivedAt === null && !caller.hidden.has(feature.project),
  );
  if ('features' in query) requireExported(query.features, flags);
  const pieces = await exportText(await buildLists(tx.db, flags, query, caller));
  tx.record({ type: 'features-exported', environment: query.environment, data: recordedExport(pieces, flags) });
  return pieces;
}

/**
 * Returns what the event keeps: the export, or only the names of its flags when the export is longer than
 * {@link maxRecordedExport}. Events are kept for ever, and a write of megabytes holds up all other changes.
 */
function recordedExport(pieces: readonly string[], flags: readonly FlagDefinition[]) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= maxRecordedExport) return new JsonText(pieces.join(''));
  return { features: flags.map(({ feature }) => ({ name: feature.name })) };
}

async function selectFlagNames(db: Db, query: ExportQuery): Promise<string[]> {
  if ('features' in query && query.features.length > 0) return [...new Set(query.features)].toSorted();
  if ('project' in query) {
    await requireProject(db, query.project);
    return listFlagNames(db, { projects: [query.project] });
  }
  return listFlagNames(db, 'tag' in query ? { tag: query.tag } : {});
}

function requireExported(names: readonly string[], flags: readonly FlagDefinition[]): void {
  const found = new Set(flags.map(({ feature }) => feature.name));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return;
  throw new Problem('NotFoundError', `These flags do not exist or are archived: ${missing.join(', ')}.`);
}

/** Builds the lists of an export, a few items per turn of the event loop. */
async function buildLists(
  db: Db,
  flags: readonly FlagDefinition[],
  { environment, wholeSegments }: ExportQuery,
  { hidden }: Pick<Identity, 'hidden'>,
): Promise<ExportLists> {
  const [segments, fields, types] = await Promise.all([
    listSegments(db),
    listContextFields(db, { shared: true, project: '*' }),
    listTagTypes(db),
  ]);
  const used = await collectReferences(flags, environment);
  const usedSegments = segments.filter(({ id }) => used.segments.has(id));
  for (const { constraints } of usedSegments) for (const name of contextNamesOf(constraints)) used.fields.add(name);
  const exportedFields = fields.filter(
    ({ name, project }) => used.fields.has(name) && (project === null || !hidden.has(project)),
  );
  return {
    features: pagesYielding(flags, (flag) => [presentFeature(flag)]),
    featureStrategies: pagesYielding(flags, (flag) => strategiesIn(flag, environment).map(presentStrategy)),
    featureEnvironments: pagesYielding(flags, (flag) => presentState(flag, environment)),
    contextFields: pagesYielding(exportedFields, ({ createdAt: _, project, ...field }) => [
      {
        ...field,
        legalValues: field.legalValues.map((each) => ({ ...each })),
        ...(project === null ? {} : { project }),
      },
    ]),
    featureTags: pagesYielding(flags, ({ feature, tags }) =>
      tags.map(({ type, value }) => ({ featureName: feature.name, tagType: type, tagValue: value })),
    ),
    segments: pagesYielding(usedSegments, ({ id, name, description, project, constraints }) => [
      {
        id,
        name,
        ...(wholeSegments
          ? { description, project, constraints: constraints.map((each) => ({ ...each, values: [...each.values] })) }
          : {}),
      },
    ]),
    tagTypes: pagesYielding(types, (type) => (used.tagTypes.has(type.name) ? [type] : [])),
    dependencies: pagesYielding(flags, presentDependencies),
    links: pagesYielding(flags, presentLinks),
  };
}

/** Collects the ids of segments, the names of context fields and the tag types that flags use. */
async function collectReferences(flags: readonly FlagDefinition[], environment: string) {
  const used = { segments: new Set<number>(), fields: new Set<string>(), tagTypes: new Set<string>() };
  await mapYielding(flags, (flag) => {
    for (const { segments, constraints, parameters, variants } of strategiesIn(flag, environment)) {
      for (const id of segments) used.segments.add(id);
      for (const name of contextNamesOf(constraints)) used.fields.add(name);
      for (const name of stickyFields(parameters, variants)) used.fields.add(name);
    }
    for (const name of stickyFields({}, flag.environments.get(environment)?.variants ?? [])) used.fields.add(name);
    for (const { type } of flag.tags) used.tagTypes.add(type);
  });
  return used;
}

function strategiesIn(flag: FlagDefinition, environment: string): readonly Strategy[] {
  return flag.environments.get(environment)?.strategies ?? [];
}

function presentFeature({ feature }: FlagDefinition) {
  const { name, project } = feature;
  return { name, project, ...fieldsIn(flagFields, feature), archived: false };
}

function presentState({ feature, environments }: FlagDefinition, environment: string) {
  const state = environments.get(environment);
  if (state === undefined) return [];
  const variants = state.variants.map(({ overrides, ...variant }) => ({
    ...variant,
    ...(overrides === undefined ? {} : { overrides: overrides.map((each) => ({ ...each, values: [...each.values] })) }),
  }));
  return [{ name: feature.name, featureName: feature.name, environment, enabled: state.enabled, variants }];
}

function presentDependencies({ feature, dependency }: FlagDefinition) {
  if (dependency === undefined) return [];
  const { parent, enabled, variants } = dependency;
  const own = { feature: parent, enabled, variants: [...variants] };
  return [{ feature: feature.name, dependencies: [own] }];
}

function presentLinks({ feature, links }: FlagDefinition) {
  return links.length === 0
    ? []
    : [{ feature: feature.name, links: links.map(({ id, url, title }) => ({ id, url, title })) }];
}
