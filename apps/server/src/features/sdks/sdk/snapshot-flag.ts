import { type CompiledFlag, compileFlag, type Feature } from '@yardarm/evaluation';
import { presentDependency } from '#features/flags/dependencies/index.ts';
import type { ClientFeature, ClientStrategy } from '#features/flags/reading/index.ts';
import { inlineSegments, type SnapshotSegments } from './snapshot-segment.ts';

/** `inline`: strategies contain the constraints of their segments. `separate`: strategies refer to segments by id. */
type SegmentForm = 'inline' | 'separate';

const none: readonly number[] = [];

/**
 * A flag in memory with its tags (`type:value`). Its JSON for each environment is built at the first use and cached.
 */
export class SnapshotFlag {
  readonly feature: ClientFeature;
  readonly tags: ReadonlySet<string>;
  readonly #allSegments: SnapshotSegments;
  /** Segment ids by environment. Environments without segments are missing. */
  readonly #segments: ReadonlyMap<string, readonly number[]>;
  readonly #bytes: Readonly<Record<SegmentForm, Map<string, Buffer>>>;
  readonly #compiled = new Map<string, CompiledFlag>();

  constructor(feature: ClientFeature, tags: ReadonlySet<string>, allSegments: SnapshotSegments) {
    this.feature = feature;
    this.tags = tags;
    this.#allSegments = allSegments;
    this.#segments = segmentsByEnvironment(feature);
    const inline = new Map<string, Buffer>();
    // Without segments both forms are the same and share one cache.
    this.#bytes = { inline, separate: this.#segments.size === 0 ? inline : new Map() };
  }

  /** Returns a copy without cached JSON, for use after a segment has changed. */
  withoutCache(): SnapshotFlag {
    return new SnapshotFlag(this.feature, this.tags, this.#allSegments);
  }

  /** Returns the ids of the segments that the enabled strategies in an environment use; may contain duplicates. */
  segmentsIn(environment: string): readonly number[] {
    return this.#segments.get(environment) ?? none;
  }

  /** The ids of the segments that any strategy uses, in all environments, including disabled strategies. */
  get segments(): readonly number[] {
    return this.feature.environments.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments));
  }

  /** Returns whether the JSON for that environment is cached. */
  isReady(environment: string, form: SegmentForm): boolean {
    return this.#cache(environment, form).has(environment);
  }

  /**
   * Returns the flag as SDKs get it in an environment. The flag is off where its project does not use the environment.
   */
  bytes(environment: string, form: SegmentForm): Buffer {
    const cache = this.#cache(environment, form);
    const cached = cache.get(environment);
    if (cached !== undefined) return cached;
    const bytes = Buffer.from(clientFeatureJson(this.feature, environment, form, this.#allSegments));
    cache.set(environment, bytes);
    return bytes;
  }

  isCompiled(environment: string): boolean {
    return this.#compiled.has(environment);
  }

  /** Returns the flag compiled for evaluation, from the same JSON that SDKs get. */
  compiled(environment: string): CompiledFlag {
    const cached = this.#compiled.get(environment);
    if (cached !== undefined) return cached;
    const feature = JSON.parse(this.bytes(environment, 'separate').toString()) as Feature;
    const compiled = compileFlag(feature, (id) => this.#allSegments.get(id)?.compiled);
    this.#compiled.set(environment, compiled);
    return compiled;
  }

  #cache(environment: string, form: SegmentForm): Map<string, Buffer> {
    return this.#bytes[this.#segments.has(environment) ? form : 'inline'];
  }
}

function isEnabled({ disabled }: ClientStrategy): boolean {
  return !disabled;
}

const noSegments: ReadonlyMap<string, readonly number[]> = new Map();

function segmentsByEnvironment({ environments }: ClientFeature): ReadonlyMap<string, readonly number[]> {
  const found = environments
    .map(
      ({ environment, strategies }) =>
        [environment, strategies.filter(isEnabled).flatMap(({ segments }) => segments)] as const,
    )
    .filter(([, segments]) => segments.length > 0);
  return found.length === 0 ? noSegments : new Map(found);
}

/**
 * Serializes a flag with the members and the order of docs/spec#sdk-flags. Columns stored as JSON are copied unparsed.
 */
function clientFeatureJson(
  feature: ClientFeature,
  environment: string,
  form: SegmentForm,
  allSegments: SnapshotSegments,
): string {
  const { name, type, description, project, stale, impressionData } = feature;
  const state = feature.environments.find((candidate) => candidate.environment === environment);
  const head = JSON.stringify({ name, type, description, project, stale, enabled: state?.enabled ?? false });
  const strategies = (state?.strategies ?? [])
    .filter(isEnabled)
    .map((strategy) => strategyJson(strategy, form, allSegments))
    .join(',');
  const depends =
    feature.dependency === null ? '' : `,"dependencies":${JSON.stringify([presentDependency(feature.dependency)])}`;
  return `${head.slice(0, -1)},"impressionData":${impressionData},"strategies":[${strategies}],"variants":${state?.variantsJson ?? '[]'}${depends}}`;
}

function strategyJson(strategy: ClientStrategy, form: SegmentForm, allSegments: SnapshotSegments): string {
  const { name, constraintsJson, parametersJson, variantsJson, segments } = strategy;
  const inline = segments.length > 0 && form === 'inline';
  const constraints = inline ? inlineSegments(constraintsJson, segments, allSegments) : constraintsJson;
  const ids = segments.length > 0 && form === 'separate' ? `,"segments":[${segments.join(',')}]` : '';
  return `{"name":${JSON.stringify(name)},"constraints":${constraints},"parameters":${parametersJson},"variants":${variantsJson}${ids}}`;
}
