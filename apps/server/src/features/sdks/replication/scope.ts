import type { ClientFeature } from '#features/flags/reading/index.ts';
import { type ApiToken, tokenKinds } from '#features/people/api-tokens/index.ts';
import type { Advance, Change } from '#features/sdks/sdk/index.ts';
import type { ReadScope } from '#kernel/caller.ts';

/**
 * The scope of a replica: the flags of some projects, in one environment or all. Nothing else leaves the server,
 * except the ids of events, which every ETag has.
 */
export class ReplicaScope {
  /** Equal scopes have equal keys. */
  readonly key: string;
  /** Null for all projects. */
  readonly #projects: ReadonlySet<string> | null;
  /** Null for all environments. */
  readonly #environment: string | null;

  constructor({ projects, environment }: Pick<ReadScope, 'projects' | 'environment'>) {
    this.#projects = projects.includes('*') ? null : new Set(projects);
    this.#environment = environment === '*' ? null : environment;
    this.key = JSON.stringify([this.#projects && [...this.#projects].toSorted(), this.#environment]);
  }

  hasProject(project: string): boolean {
    return this.#projects === null || this.#projects.has(project);
  }

  hasEnvironment(environment: string | null): boolean {
    return environment === null || this.#environment === null || this.#environment === environment;
  }

  /** Returns a flag without its other environments. */
  feature(feature: ClientFeature): ClientFeature {
    if (this.#environment === null) return feature;
    return { ...feature, environments: feature.environments.filter((at) => this.hasEnvironment(at.environment)) };
  }

  /** Returns a change without the flags of other projects. */
  change(change: Change): Change {
    if (this.#projects === null || change.flags === null) return change;
    const flags = [...change.flags].flatMap(([name, projects]): [string, Set<string>][] => {
      const visible = new Set([...projects].filter((project) => this.hasProject(project)));
      return visible.size === 0 ? [] : [[name, visible]];
    });
    return { ...change, flags: new Map(flags) };
  }

  /** Returns the changes in the environments of the scope. */
  batches(batches: readonly (readonly Change[])[]): Change[][] {
    return batches
      .map((batch) =>
        batch.filter(({ environment }) => this.hasEnvironment(environment)).map((each) => this.change(each)),
      )
      .filter((batch) => batch.length > 0);
  }

  advances(advances: readonly Advance[]): Advance[] {
    return advances.filter(({ environment }) => this.hasEnvironment(environment));
  }

  /** Returns whether a replica has all that an SDK with this token may read. */
  serves({ type, environment, projects }: ApiToken): boolean {
    return tokenKinds[type].sdk !== null && this.covers({ environment, projects });
  }

  /** Returns whether all that a token with this environment and these projects reads is in the scope. */
  covers({ environment, projects }: Pick<ApiToken, 'environment' | 'projects'>): boolean {
    if (!this.hasEnvironment(environment)) return false;
    return projects.includes('*') ? this.#projects === null : projects.every((project) => this.hasProject(project));
  }
}
