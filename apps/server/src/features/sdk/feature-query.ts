import { createHash } from 'node:crypto';
import type { SdkCaller } from '../../kernel/caller.ts';
import type { ServedFlag } from './served-flag.ts';

export interface RequestedFilters {
  readonly project?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly namePrefix?: string | undefined;
}

/** Raise it when answers to the same query change their shape, or SDKs would keep what they have. */
const answerShape = 1;

/** Which flags an SDK gets: what its token opens, narrowed by what it asks for (docs/spec#sdk-flags). */
export class FeatureQuery {
  readonly environment: string;
  readonly segmentForm: 'inline' | 'separate';
  /** The query as the answer shows it. Equal queries have equal texts, so it also serves as their key. */
  readonly json: string;
  /** 16 hexadecimal digits that stand for the query in its answers' ETag. */
  readonly hash: string;
  /** Null for all projects. */
  readonly #projects: ReadonlySet<string> | null;
  /** `type:value`; a flag needs one of them. Null for any flag. */
  readonly #tags: readonly string[] | null;
  readonly #namePrefix: string;

  /** The token beats what is asked for: its environment always, its projects unless it opens all. */
  constructor(
    caller: Pick<SdkCaller, 'environment' | 'projects'>,
    asked: RequestedFilters,
    inlineSegmentConstraints: boolean,
  ) {
    const project = caller.projects.includes('*') ? sorted(asked.project) : sorted(caller.projects);
    const tags = sorted(asked.tag);
    const namePrefix = asked.namePrefix ?? '';
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

  /** Of the projects that a flag of that name was in, one where it may have matched. */
  projectOf(name: string, projects: Iterable<string>): string | undefined {
    if (!name.startsWith(this.#namePrefix)) return undefined;
    for (const project of projects) if (this.#projects === null || this.#projects.has(project)) return project;
    return undefined;
  }

  matches({ feature, tags }: ServedFlag): boolean {
    return (
      (this.#projects === null || this.#projects.has(feature.project)) &&
      feature.name.startsWith(this.#namePrefix) &&
      (this.#tags === null || this.#tags.some((tag) => tags.has(tag)))
    );
  }
}

/** Queries without filters, which is what nearly all SDKs send, by who sends them. */
const unfiltered = new WeakMap<SdkCaller, { separate?: FeatureQuery; inline?: FeatureQuery }>();

/** The query of `caller`; one without filters is made once. */
export function queryFor(caller: SdkCaller, asked: RequestedFilters, inlineSegmentConstraints: boolean): FeatureQuery {
  if (asked.project !== undefined || asked.tag !== undefined || asked.namePrefix !== undefined)
    return new FeatureQuery(caller, asked, inlineSegmentConstraints);
  const which = inlineSegmentConstraints ? 'inline' : 'separate';
  const known = unfiltered.get(caller) ?? {};
  unfiltered.set(caller, known);
  known[which] ??= new FeatureQuery(caller, {}, inlineSegmentConstraints);
  return known[which];
}

function sorted(values: readonly string[] | undefined): readonly string[] | null {
  return values === undefined || values.length === 0 ? null : [...new Set(values)].toSorted();
}

function typeAndValue(tag: string): [string, string] {
  const colon = tag.indexOf(':');
  return [tag.slice(0, colon), tag.slice(colon + 1)];
}
