import { z } from 'zod';
import * as answers from './answers.ts';
import { connectToUnleash, type UnleashApi } from './api.ts';

/** A flag of Unleash, with the fields that Unleash returns by other routes than that of the flag. */
export interface UnleashFlag extends answers.FlagAnswer {
  readonly project: string;
  readonly tags: readonly { readonly type: string; readonly value: string }[];
  /** Variants of the flag itself by environment. An environment without variants is absent. */
  readonly variants: ReadonlyMap<string, readonly answers.VariantAnswer[]>;
  readonly isCompleted: boolean;
}

export type UnleashProject = z.output<typeof answers.projectAnswer> & { readonly id: string };

/** The content of an Unleash as its admin API returns it. */
export interface UnleashContent {
  readonly environments: z.output<typeof answers.environmentsAnswer>['environments'];
  readonly projects: readonly UnleashProject[];
  /** The flags that are not archived. */
  readonly flags: readonly UnleashFlag[];
  readonly archivedFlags: readonly { readonly name: string }[];
  readonly segments: z.output<typeof answers.segmentsAnswer>['segments'];
  readonly contextFields: z.output<typeof answers.contextFieldsAnswer>;
  readonly strategies: z.output<typeof answers.strategiesAnswer>['strategies'];
  readonly tagTypes: z.output<typeof answers.tagTypesAnswer>['tagTypes'];
  readonly tags: z.output<typeof answers.tagsAnswer>['tags'];
  readonly users: z.output<typeof answers.usersAnswer>;
  readonly tokens: z.output<typeof answers.tokensAnswer>['tokens'];
  readonly flagTypes: z.output<typeof answers.flagTypesAnswer>['types'];
  /** Undefined when Unleash does not tell the allowed origins of its frontend API. */
  readonly frontendApiOrigins: readonly string[] | undefined;
  readonly integrations: z.output<typeof answers.integrationsAnswer>['addons'];
}

/** The number of concurrent requests, each of which reads one flag. */
const atOnce = 8;
const pageSize = 100;

/**
 * Reads the content of a running Unleash with GET requests, because an export has one project in one environment,
 * without the order of strategies and the constraints of segments. The command reads, and not the server, so that the
 * token of Unleash stays with its caller and the server calls no address that a caller chooses. Rejects with a
 * CommandError that names the request when one is refused, fails, or gets an answer that is not Unleash's.
 */
export async function readUnleash(address: string, token: string): Promise<UnleashContent> {
  const { get } = connectToUnleash(address, token);
  const { projects: listed } = await get('projects', answers.projectsAnswer);
  const projects = await inParallel(listed, async ({ id }) => ({
    id,
    ...(await get(`projects/${encodeURIComponent(id)}/overview`, answers.projectAnswer)),
  }));
  const found = [];
  const archived = [];
  for (const { id } of projects) {
    found.push(...(await findFlags(get, id)));
    // A version that does not know the filter answers flags that are not archived.
    archived.push(
      ...(await findFlags(get, id, { archived: 'IS:true' })).filter(({ archivedAt }) => archivedAt != null),
    );
  }
  return {
    projects,
    flags: await inParallel(found, (flag) => readFlag(get, flag)),
    archivedFlags: archived.map(({ name }) => ({ name })),
    environments: (await get('environments', answers.environmentsAnswer)).environments,
    segments: (await get('segments', answers.segmentsAnswer)).segments,
    contextFields: await get('context', answers.contextFieldsAnswer),
    strategies: (await get('strategies', answers.strategiesAnswer)).strategies,
    tagTypes: (await get('tag-types', answers.tagTypesAnswer)).tagTypes,
    tags: (await get('tags', answers.tagsAnswer)).tags,
    users: await get('user-admin', answers.usersAnswer),
    tokens: (await get('api-tokens', answers.tokensAnswer)).tokens,
    flagTypes: (await get('feature-types', answers.flagTypesAnswer)).types,
    frontendApiOrigins: (await get('ui-config', answers.settingsAnswer)).frontendApiOrigins ?? undefined,
    integrations: (await get('addons', answers.integrationsAnswer)).addons,
  };
}

type Get = UnleashApi['get'];
type FoundFlag = z.output<typeof answers.foundFlags>['features'][number] & { readonly project: string };

/**
 * Lists the flags of a project. Uses the search, because only its answer has the tags and says which flags have
 * variants.
 */
async function findFlags(get: Get, project: string, filter: Record<string, string> = {}): Promise<FoundFlag[]> {
  const found = new Map<string, FoundFlag>();
  for (let offset = 0; ; ) {
    const query = new URLSearchParams({
      project: `IS:${project}`,
      limit: `${pageSize}`,
      offset: `${offset}`,
      ...filter,
    });
    const { features, total } = await get(`search/features?${query}`, answers.foundFlags);
    for (const feature of features) found.set(feature.name, { ...feature, project });
    // A server may answer fewer flags than the limit.
    offset += features.length;
    if (features.length === 0 || offset >= total) return [...found.values()];
  }
}

async function readFlag(get: Get, { name, project, tags, environments, lifecycle }: FoundFlag): Promise<UnleashFlag> {
  const path = `projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}`;
  const flag = await get(path, answers.flagAnswer);
  const variants = new Map<string, answers.VariantAnswer[]>();
  for (const { name: environment, variantCount } of environments) {
    if ((variantCount ?? 0) === 0) continue;
    const schema = z.object({ variants: z.array(answers.variantAnswer) });
    const own = await get(`${path}/environments/${encodeURIComponent(environment)}/variants`, schema);
    variants.set(environment, own.variants);
  }
  return { ...flag, project, tags: tags ?? [], variants, isCompleted: lifecycle?.stage === 'completed' };
}

/** Runs the work of all items, a few at a time, in any order. Starts no more after the first failure. */
async function inParallel<T, U>(items: readonly T[], work: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  const left = [...items.entries()].toReversed();
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, item] = next;
      results[index] = await work(item).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
