import { type CompiledFlag, compileFlag, type Feature } from '@yardarm/evaluation';
import { type ClientFeature, type ClientStrategy, presentDependency } from '../flags/index.ts';
import { inlined, type ServedSegments } from './served-segment.ts';

/** Whether the constraints of segments stand among those of strategies, or strategies name their segments. */
type SegmentForm = 'inline' | 'separate';

const none: readonly number[] = [];

/** A flag in memory with its tags (`type:value`), and its JSON for each environment, made when first asked for. */
export class ServedFlag {
  readonly feature: ClientFeature;
  readonly tags: ReadonlySet<string>;
  readonly #served: ServedSegments;
  /** Ids of segments by environment, where there are any. */
  readonly #segments: ReadonlyMap<string, readonly number[]>;
  readonly #bytes: Readonly<Record<SegmentForm, Map<string, Buffer>>>;
  readonly #compiled = new Map<string, CompiledFlag>();

  constructor(feature: ClientFeature, tags: ReadonlySet<string>, served: ServedSegments) {
    this.feature = feature;
    this.tags = tags;
    this.#served = served;
    this.#segments = segmentsByEnvironment(feature);
    const inline = new Map<string, Buffer>();
    // Without segments the two forms are the same, and one will do.
    this.#bytes = { inline, separate: this.#segments.size === 0 ? inline : new Map() };
  }

  /** The same flag without the JSON it was made into, for when a segment of it has changed. */
  renewed(): ServedFlag {
    return new ServedFlag(this.feature, this.tags, this.#served);
  }

  /** Ids of the segments that its strategies there use, some perhaps twice. */
  segmentsIn(environment: string): readonly number[] {
    return this.#segments.get(environment) ?? none;
  }

  /** Ids of the segments that its strategies use anywhere, disabled ones too. */
  get segments(): readonly number[] {
    return this.feature.environments.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments));
  }

  /** Whether its JSON for that environment has been made. */
  isReady(environment: string, form: SegmentForm): boolean {
    return this.#made(environment, form).has(environment);
  }

  /** The flag as SDKs get it there; in an environment that its project does not use it is off. */
  bytes(environment: string, form: SegmentForm): Buffer {
    const made = this.#made(environment, form);
    const known = made.get(environment);
    if (known !== undefined) return known;
    const bytes = Buffer.from(clientFeatureJson(this.feature, environment, form, this.#served));
    made.set(environment, bytes);
    return bytes;
  }

  /** Whether it has been made ready to be evaluated there. */
  isCompiled(environment: string): boolean {
    return this.#compiled.has(environment);
  }

  /** The flag ready to be evaluated there: made from the very bytes that SDKs get. */
  compiled(environment: string): CompiledFlag {
    const known = this.#compiled.get(environment);
    if (known !== undefined) return known;
    const feature = JSON.parse(this.bytes(environment, 'separate').toString()) as Feature;
    const compiled = compileFlag(feature, (id) => this.#served.get(id)?.compiled);
    this.#compiled.set(environment, compiled);
    return compiled;
  }

  #made(environment: string, form: SegmentForm): Map<string, Buffer> {
    return this.#bytes[this.#segments.has(environment) ? form : 'inline'];
  }
}

function isServed({ disabled }: ClientStrategy): boolean {
  return !disabled;
}

const noSegments: ReadonlyMap<string, readonly number[]> = new Map();

function segmentsByEnvironment({ environments }: ClientFeature): ReadonlyMap<string, readonly number[]> {
  const found = environments
    .map(
      ({ environment, strategies }) =>
        [environment, strategies.filter(isServed).flatMap(({ segments }) => segments)] as const,
    )
    .filter(([, segments]) => segments.length > 0);
  return found.length === 0 ? noSegments : new Map(found);
}

/** Members and their order as in docs/spec#sdk-flags. What is stored as JSON goes in as it is. */
function clientFeatureJson(
  feature: ClientFeature,
  environment: string,
  form: SegmentForm,
  served: ServedSegments,
): string {
  const { name, type, description, project, stale, impressionData } = feature;
  const there = feature.environments.find((one) => one.environment === environment);
  const head = JSON.stringify({ name, type, description, project, stale, enabled: there?.enabled ?? false });
  const strategies = (there?.strategies ?? [])
    .filter(isServed)
    .map((one) => strategyJson(one, form, served))
    .join(',');
  const depends =
    feature.dependency === null ? '' : `,"dependencies":${JSON.stringify([presentDependency(feature.dependency)])}`;
  return `${head.slice(0, -1)},"impressionData":${impressionData},"strategies":[${strategies}],"variants":${there?.variantsJson ?? '[]'}${depends}}`;
}

function strategyJson(strategy: ClientStrategy, form: SegmentForm, served: ServedSegments): string {
  const { name, constraintsJson, parametersJson, variantsJson, segments } = strategy;
  const inline = segments.length > 0 && form === 'inline';
  const constraints = inline ? inlined(constraintsJson, segments, served) : constraintsJson;
  const ids = segments.length > 0 && form === 'separate' ? `,"segments":[${segments.join(',')}]` : '';
  return `{"name":${JSON.stringify(name)},"constraints":${constraints},"parameters":${parametersJson},"variants":${variantsJson}${ids}}`;
}
