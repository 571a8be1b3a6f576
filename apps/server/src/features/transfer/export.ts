import type { exportResultSchema } from '@yardarm/contract';
import type { z } from 'zod';
import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { contextNamesOf } from '../constraints/index.ts';
import { listContextFields } from '../context-fields/index.ts';
import { requireEnvironment } from '../environments/index.ts';
import { listFlagNames, loadWholeFlags, type WholeFlag } from '../flags/index.ts';
import { requireProject } from '../projects/index.ts';
import { listSegments, type Segment } from '../segments/index.ts';
import { listTagTypes } from '../tags/index.ts';

/** Which flags are exported; `features` that is empty stands for all. */
export type ExportQuery = {
  readonly environment: string;
  /** Whether segments come with all that they are: their names alone are what Unleash takes. */
  readonly wholeSegments: boolean;
} & ({ readonly features: readonly string[] } | { readonly tag: string } | { readonly project: string });

export type ExportResult = z.input<typeof exportResultSchema>;

/**
 * Flags as they are in an environment, with what they use, by name; archived ones and those that are hidden from the caller are left out.
 * 404 for an environment or project that there is not, and for a flag that is named and cannot be exported. A constant
 * number of statements for each thousand flags.
 */
export async function exportFlags(tx: Tx, query: ExportQuery, caller: Pick<Identity, 'hidden'>): Promise<ExportResult> {
  await requireEnvironment(tx.db, query.environment);
  const loaded = await loadWholeFlags(tx.db, await namesOf(tx.db, query));
  const flags = [...loaded.values()].filter(
    ({ feature }) => feature.archivedAt === null && !caller.hidden.has(feature.project),
  );
  if ('features' in query) requireAll(query.features, flags);
  const result = await present(tx.db, flags, query, caller);
  tx.record({ type: 'features-exported', environment: query.environment, data: result });
  return result;
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

async function present(
  db: Db,
  flags: readonly WholeFlag[],
  { environment, wholeSegments }: ExportQuery,
  { hidden }: Pick<Identity, 'hidden'>,
): Promise<ExportResult> {
  const strategies = flags.flatMap((flag) => flag.environments.get(environment)?.strategies ?? []);
  const [segments, fields, types] = await Promise.all([
    listSegments(db),
    listContextFields(db, { ofAll: true, project: '*' }),
    listTagTypes(db),
  ]);
  const usedSegments = usedOf(segments, new Set(strategies.flatMap((one) => one.segments)));
  const asked = new Set([...strategies, ...usedSegments].flatMap(({ constraints }) => contextNamesOf(constraints)));
  const tagTypes = new Set(flags.flatMap(({ tags }) => tags.map(({ type }) => type)));
  return {
    features: flags.map(presentFeature),
    featureStrategies: strategies.map((one) => {
      const { createdAt: _at, environment: _in, ...strategy } = one;
      return {
        ...strategy,
        parameters: { ...one.parameters },
        constraints: one.constraints.map((each) => ({ ...each, values: [...each.values] })),
        variants: one.variants.map((each) => ({ ...each })),
        segments: [...one.segments],
      };
    }),
    featureEnvironments: flags.flatMap((flag) => presentState(flag, environment)),
    contextFields: fields
      .filter(({ name, project }) => asked.has(name) && (project === null || !hidden.has(project)))
      .map(({ createdAt: _, project, ...field }) => ({
        ...field,
        legalValues: field.legalValues.map((each) => ({ ...each })),
        ...(project === null ? {} : { project }),
      })),
    featureTags: flags.flatMap(({ feature, tags }) =>
      tags.map(({ type, value }) => ({ featureName: feature.name, tagType: type, tagValue: value })),
    ),
    segments: usedSegments.map(({ id, name, description, project, constraints }) => ({
      id,
      name,
      ...(wholeSegments
        ? {
            description,
            project,
            constraints: constraints.map((each) => ({ ...each, values: [...each.values] })),
          }
        : {}),
    })),
    tagTypes: types.filter(({ name }) => tagTypes.has(name)),
    ...presentRelations(flags),
  };
}

function usedOf(segments: readonly Segment[], ids: ReadonlySet<number>): Segment[] {
  return segments.filter(({ id }) => ids.has(id));
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

function presentRelations(flags: readonly WholeFlag[]): Pick<ExportResult, 'dependencies' | 'links'> {
  return {
    dependencies: flags.flatMap(({ feature, dependency }) => {
      if (dependency === undefined) return [];
      const { parent, enabled, variants } = dependency;
      const own = { feature: parent, enabled, variants: [...variants] };
      return [{ feature: feature.name, dependencies: [own] }];
    }),
    links: flags.flatMap(({ feature, links }) =>
      links.length === 0
        ? []
        : [{ feature: feature.name, links: links.map(({ id, url, title }) => ({ id, url, title })) }],
    ),
  };
}
