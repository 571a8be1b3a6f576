import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import { JsonText } from '../../kernel/json-text.ts';
import { mapInTurns, pagesInTurns } from '../../kernel/turns.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { contextNamesOf } from '../constraints/index.ts';
import { listContextFields } from '../context-fields/index.ts';
import { requireEnvironment } from '../environments/index.ts';
import { listFlagNames, loadWholeFlags, type Strategy, type WholeFlag } from '../flags/index.ts';
import { requireProject } from '../projects/index.ts';
import { listSegments } from '../segments/index.ts';
import { listTagTypes } from '../tags/index.ts';
import { type ExportLists, exportText } from './export-text.ts';

/** Which flags are exported; `features` that is empty stands for all. */
export type ExportQuery = {
  readonly environment: string;
  /** Whether segments come with all that they are: their names alone are what Unleash takes. */
  readonly wholeSegments: boolean;
} & ({ readonly features: readonly string[] } | { readonly tag: string } | { readonly project: string });

/**
 * The JSON, in pieces, of flags as they are in an environment, with what they use, by name; archived ones and those that are hidden from the caller
 * are left out. 404 for an environment or project that there is not, and for a flag that is named and cannot be exported. A constant
 * number of statements for each thousand flags; the text is made in turns with other requests.
 */
export async function exportFlags(tx: Tx, query: ExportQuery, caller: Pick<Identity, 'hidden'>): Promise<string[]> {
  await requireEnvironment(tx.db, query.environment);
  const loaded = await loadWholeFlags(tx.db, await namesOf(tx.db, query));
  const flags = [...loaded.values()].filter(
    ({ feature }) => feature.archivedAt === null && !caller.hidden.has(feature.project),
  );
  if ('features' in query) requireAll(query.features, flags);
  const pieces = await exportText(await listsOf(tx.db, flags, query, caller));
  tx.record({ type: 'features-exported', environment: query.environment, data: new JsonText(pieces.join('')) });
  return pieces;
}

async function namesOf(db: Db, query: ExportQuery): Promise<string[]> {
  if ('features' in query && query.features.length > 0) return [...new Set(query.features)].toSorted();
  if ('project' in query) {
    await requireProject(db, query.project);
    return listFlagNames(db, { projects: [query.project] });
  }
  return listFlagNames(db, 'tag' in query ? { tag: query.tag } : {});
}

function requireAll(names: readonly string[], flags: readonly WholeFlag[]): void {
  const found = new Set(flags.map(({ feature }) => feature.name));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return;
  throw new Problem('NotFoundError', `There is no flag ${missing.join(', ')} that is not archived.`);
}

/** Lists of an export, each made a few items at a time. */
async function listsOf(
  db: Db,
  flags: readonly WholeFlag[],
  { environment, wholeSegments }: ExportQuery,
  { hidden }: Pick<Identity, 'hidden'>,
): Promise<ExportLists> {
  const [segments, fields, types] = await Promise.all([
    listSegments(db),
    listContextFields(db, { shared: true, project: '*' }),
    listTagTypes(db),
  ]);
  const used = await usedBy(flags, environment);
  const usedSegments = segments.filter(({ id }) => used.segments.has(id));
  for (const { constraints } of usedSegments) for (const name of contextNamesOf(constraints)) used.fields.add(name);
  const fieldsThere = fields.filter(
    ({ name, project }) => used.fields.has(name) && (project === null || !hidden.has(project)),
  );
  return {
    features: pagesInTurns(flags, (flag) => [presentFeature(flag)]),
    featureStrategies: pagesInTurns(flags, (flag) => strategiesIn(flag, environment).map(presentStrategy)),
    featureEnvironments: pagesInTurns(flags, (flag) => presentState(flag, environment)),
    contextFields: pagesInTurns(fieldsThere, ({ createdAt: _, project, ...field }) => [
      {
        ...field,
        legalValues: field.legalValues.map((each) => ({ ...each })),
        ...(project === null ? {} : { project }),
      },
    ]),
    featureTags: pagesInTurns(flags, ({ feature, tags }) =>
      tags.map(({ type, value }) => ({ featureName: feature.name, tagType: type, tagValue: value })),
    ),
    segments: pagesInTurns(usedSegments, ({ id, name, description, project, constraints }) => [
      {
        id,
        name,
        ...(wholeSegments
          ? { description, project, constraints: constraints.map((each) => ({ ...each, values: [...each.values] })) }
          : {}),
      },
    ]),
    tagTypes: pagesInTurns(types, (type) => (used.tagTypes.has(type.name) ? [type] : [])),
    dependencies: pagesInTurns(flags, presentDependencies),
    links: pagesInTurns(flags, presentLinks),
  };
}

/** What flags refer to: ids of segments, names of context fields and types of tags. */
async function usedBy(flags: readonly WholeFlag[], environment: string) {
  const used = { segments: new Set<number>(), fields: new Set<string>(), tagTypes: new Set<string>() };
  await mapInTurns(flags, (flag) => {
    for (const { segments, constraints } of strategiesIn(flag, environment)) {
      for (const id of segments) used.segments.add(id);
      for (const name of contextNamesOf(constraints)) used.fields.add(name);
    }
    for (const { type } of flag.tags) used.tagTypes.add(type);
  });
  return used;
}

function strategiesIn(flag: WholeFlag, environment: string): readonly Strategy[] {
  return flag.environments.get(environment)?.strategies ?? [];
}

function presentStrategy({ createdAt: _at, environment: _in, ...strategy }: Strategy) {
  return {
    ...strategy,
    parameters: { ...strategy.parameters },
    constraints: strategy.constraints.map((each) => ({ ...each, values: [...each.values] })),
    variants: strategy.variants.map((each) => ({ ...each })),
    segments: [...strategy.segments],
  };
}

function presentFeature({ feature }: WholeFlag) {
  const { name, type, description, project, stale, impressionData } = feature;
  return { name, type, description, project, stale, impressionData, archived: false };
}

function presentState({ feature, environments }: WholeFlag, environment: string) {
  const state = environments.get(environment);
  if (state === undefined) return [];
  const variants = state.variants.map(({ overrides, ...one }) => ({
    ...one,
    ...(overrides === undefined ? {} : { overrides: overrides.map((each) => ({ ...each, values: [...each.values] })) }),
  }));
  return [{ name: feature.name, featureName: feature.name, environment, enabled: state.enabled, variants }];
}

function presentDependencies({ feature, dependency }: WholeFlag) {
  if (dependency === undefined) return [];
  const { parent, enabled, variants } = dependency;
  const own = { feature: parent, enabled, variants: [...variants] };
  return [{ feature: feature.name, dependencies: [own] }];
}

function presentLinks({ feature, links }: WholeFlag) {
  return links.length === 0
    ? []
    : [{ feature: feature.name, links: links.map(({ id, url, title }) => ({ id, url, title })) }];
}
