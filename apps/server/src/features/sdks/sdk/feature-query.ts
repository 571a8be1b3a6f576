import { createHash } from 'node:crypto';
import type { SdkCaller } from '#kernel/caller.ts';
import type { SnapshotFlag } from './snapshot-flag.ts';

export interface RequestedFilters {
  readonly project?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly namePrefix?: string | undefined;
}

/** Part of every ETag. Increase it when the JSON of the answers changes, so that SDKs do not keep the old JSON. */
const answerShape = 1;

/**
 * Selects the flags that an SDK gets: the flags its token has access to, narrowed by its filters (docs/spec#sdk-flags).
 */
export class FeatureQuery {
  readonly environment: string;
  readonly segmentForm: 'inline' | 'separate';
  /** The query as shown in the answer. Equal queries have equal JSON, so it also serves as a cache key. */
  readonly json: string;
  /** The hash of the query in ETags: 16 hexadecimal digits. */
  readonly hash: string;
  /** Null for all projects. */
  readonly #projects: ReadonlySet<string> | null;
  /** `type:value`; a flag matches when it has at least one of these tags. Null for any flag. */
  readonly #tags: readonly string[] | null;
  readonly #namePrefix: string;

  /** The environment is always the token's. The project filter applies only to tokens of all projects. */
  constructor(
    caller: Pick<SdkCaller, 'environment' | 'projects'>,
    filters: RequestedFilters,
    inlineSegmentConstraints: boolean,
  ) {
    const project = caller.projects.includes('*') ? sorted(filters.project) : sorted(caller.projects);
    const tags = sorted(filters.tag);
    const namePrefix = filters.namePrefix ?? '';
    this.environment = caller.environment;
    this.segmentForm = inlineSegmentConstraints ? 'inline' : 'separate';
    this.#projects = project && new Set(project);
    this.#tags = tags;
    this.#namePrefix = namePrefix;
    this.json = JSON.stringify({
      environment: caller.environment,
      ...(project === null ? {} : { project }),
      ...(tags === null ? {} : { tag: tags.map(typeAndValue) }),
      ...(namePrefix === '' ? {} : { namePrefix }),
      inlineSegmentConstraints,
    });
    this.hash = createHash('sha256').update(`${answerShape} ${this.json}`).digest('hex').slice(0, 16);
  }

  /**
   * Returns the first of `projects` in which a flag of this name may match the query; undefined when there is none.
   * Ignores tags.
   */
  matchingProject(name: string, projects: Iterable<string>): string | undefined {
    if (!name.startsWith(this.#namePrefix)) return undefined;
    for (const project of projects) if (this.#projects === null || this.#projects.has(project)) return project;
    return undefined;
  }

  matches({ feature, tags }: SnapshotFlag): boolean {
    return (
      (this.#projects === null || this.#projects.has(feature.project)) &&
      feature.name.startsWith(this.#namePrefix) &&
      (this.#tags === null || this.#tags.some((tag) => tags.has(tag)))
    );
  }
}

/** Cached queries without filters, which nearly all SDKs send. */
const unfiltered = new WeakMap<SdkCaller, { separate?: FeatureQuery; inline?: FeatureQuery }>();

/** Returns the query of `caller`. Queries without filters are cached by caller. */
export function queryFor(
  caller: SdkCaller,
  filters: RequestedFilters,
  inlineSegmentConstraints: boolean,
): FeatureQuery {
  if (filters.project !== undefined || filters.tag !== undefined || filters.namePrefix !== undefined)
    return new FeatureQuery(caller, filters, inlineSegmentConstraints);
  const form = inlineSegmentConstraints ? 'inline' : 'separate';
  const cached = unfiltered.get(caller) ?? {};
  unfiltered.set(caller, cached);
  cached[form] ??= new FeatureQuery(caller, {}, inlineSegmentConstraints);
  return cached[form];
}

function sorted(values: readonly string[] | undefined): readonly string[] | null {
  return values === undefined || values.length === 0 ? null : [...new Set(values)].toSorted();
}

function typeAndValue(tag: string): [string, string] {
  const colon = tag.indexOf(':');
  return [tag.slice(0, colon), tag.slice(colon + 1)];
}
