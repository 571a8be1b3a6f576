import { type ClientFeature, type ClientStrategy, presentDependency } from '../flags/index.ts';

/** A flag in memory with its tags (`type:value`), and its JSON for each environment, made when first asked for. */
export class ServedFlag {
  readonly feature: ClientFeature;
  readonly tags: ReadonlySet<string>;
  readonly #bytes = new Map<string, Buffer>();

  constructor(feature: ClientFeature, tags: ReadonlySet<string>) {
    this.feature = feature;
    this.tags = tags;
  }

  /** Whether its JSON for that environment has been made. */
  isReady(environment: string): boolean {
    return this.#bytes.has(environment);
  }

  /** The flag as SDKs get it there; in an environment that its project does not use it is off. */
  bytes(environment: string): Buffer {
    const made = this.#bytes.get(environment);
    if (made !== undefined) return made;
    const bytes = Buffer.from(clientFeatureJson(this.feature, environment));
    this.#bytes.set(environment, bytes);
    return bytes;
  }
}

/** Members and their order as in unleash-facts 4.3. What is stored as JSON goes in as it is. */
function clientFeatureJson(feature: ClientFeature, environment: string): string {
  const { name, type, description, project, stale, impressionData } = feature;
  const there = feature.environments.find((one) => one.environment === environment);
  const head = JSON.stringify({ name, type, description, project, stale, enabled: there?.enabled ?? false });
  const strategies = (there?.strategies ?? []).map(strategyJson).join(',');
  const depends =
    feature.dependency === null ? '' : `,"dependencies":${JSON.stringify([presentDependency(feature.dependency)])}`;
  return `${head.slice(0, -1)},"impressionData":${impressionData},"strategies":[${strategies}],"variants":${there?.variantsJson ?? '[]'}${depends}}`;
}

function strategyJson(strategy: ClientStrategy): string {
  const { name, constraintsJson, parametersJson, variantsJson } = strategy;
  return `{"name":${JSON.stringify(name)},"constraints":${constraintsJson},"parameters":${parametersJson},"variants":${variantsJson}}`;
}
