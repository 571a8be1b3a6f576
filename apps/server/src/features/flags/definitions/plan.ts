import { fieldsIn, flagFields } from '@yardarm/contract';
import type { Dependency } from '#features/flags/dependencies/index.ts';
import { type FeatureTag, newFeature } from '#features/flags/feature/index.ts';
import { type Link, maxLinks, titleOf } from '#features/flags/links/index.ts';
import { distinctTags } from '#features/flags/tags/index.ts';
import { distributeWeights } from '#features/flags/variants/index.ts';
import { requireNamed } from '#features/projects/projects/index.ts';
import { newId } from '#kernel/ids.ts';
import { reservedInPlan } from '#kernel/visible-names.ts';
import { collectFaults, type Fault } from './faults.ts';
import {
  type DesiredEnvironment,
  type DesiredFlag,
  type DesiredLink,
  type FlagDefinition,
  type FlagInEnvironment,
  flagOff,
  off,
} from './flag-definition.ts';
import { planEnabled, planStrategies, type StrategyPlace, withActiveStrategy } from './plan-strategies.ts';
import type { FlagRules, ProjectWithEnvironments } from './rules.ts';

/** A flag before and after a planned change. */
export interface FlagPlan {
  /** Undefined for a new flag. */
  readonly before: FlagDefinition | undefined;
  readonly after: FlagDefinition;
}

/**
 * Returns the change that brings a flag to its desired state, by the rules that the commands apply to single changes.
 * When the change is not allowed, adds the reasons to `faults` and returns undefined. Does not check dependencies:
 * {@link checkDependencies} checks those of all flags together.
 */
export function planFlag(
  before: FlagDefinition | undefined,
  desired: DesiredFlag,
  rules: FlagRules,
  faults: Fault[],
): FlagPlan | undefined {
  const target = rules.projects.get(desired.project);
  const refusal =
    target === undefined ? `there is no project ${desired.project}` : findRefusal(before, desired, target, rules);
  if (target === undefined || refusal !== undefined) {
    faults.push({ path: '', message: refusal ?? '' });
    return undefined;
  }
  const known = faults.length;
  if (before === undefined) collectFaults(faults, '', () => requireNamed(target.project, desired.name));
  const base = before === undefined ? flagOff(newFeature(desired, rules), target.environments) : revived(before);
  const after: FlagDefinition = {
    feature: { ...base.feature, ...fieldsIn(flagFields, desired) },
    tags: planTags(base.tags, desired, rules, faults),
    links: planLinks(base.links, desired, faults),
    dependency: planDependency(base.dependency, desired),
    environments: planEnvironments(base, desired, target, rules, faults),
  };
  return faults.length > known ? undefined : { before, after };
}

function findRefusal(
  before: FlagDefinition | undefined,
  desired: DesiredFlag,
  { project }: ProjectWithEnvironments,
  rules: FlagRules,
): string | undefined {
  if (project.archivedAt !== null) return `the project ${project.id} is archived`;
  if (before === undefined) return undefined;
  if (before.feature.project !== desired.project) {
    if (rules.hidden.has(before.feature.project)) return reservedInPlan(desired.name);
    return `another project has a flag named ${desired.name}`;
  }
  if (before.feature.archivedAt !== null && rules.archived === 'refused')
    return 'is archived: revive or delete it first';
  return undefined;
}

/** Returns an archived flag as revived: off in every environment (docs/spec#archive-and-revive). */
export function revived(flag: FlagDefinition): FlagDefinition {
  if (flag.feature.archivedAt === null) return flag;
  return {
    ...flag,
    feature: { ...flag.feature, archivedAt: null },
    environments: new Map([...flag.environments].map(([name, state]) => [name, { ...state, enabled: false }])),
  };
}

function planTags(
  present: readonly FeatureTag[],
  { tags, moreTags = [] }: DesiredFlag,
  rules: FlagRules,
  faults: Fault[],
): readonly FeatureTag[] {
  const desired = distinctTags([...(tags ?? present), ...moreTags]);
  for (const [index, { type }] of (tags ?? moreTags).entries()) {
    if (!rules.tagTypes.has(type))
      faults.push({ path: `tags.${index}`, message: `must be of an existing tag type, not ${type}` });
  }
  return desired;
}

/** Matches links by URL, so that a present link keeps its id. */
function planLinks(present: readonly Link[], desired: DesiredFlag, faults: Fault[]): readonly Link[] {
  const { name, links, moreLinks = [] } = desired;
  const missing = moreLinks.filter(({ url }) => !present.some((link) => link.url === url));
  if (links === undefined && missing.length === 0) return present;
  const all: readonly DesiredLink[] = [...(links ?? present), ...missing];
  if (all.length > maxLinks) faults.push({ path: 'links', message: `must have at most ${maxLinks} links` });
  const free = [...present];
  return all.map((link) => {
    const at = free.findIndex(({ url }) => url === link.url);
    const [old] = at < 0 ? [] : free.splice(at, 1);
    return { id: old?.id ?? newId(), featureName: name, url: link.url, title: titleOf(link) };
  });
}

function planDependency(present: Dependency | undefined, { name, dependency }: DesiredFlag): Dependency | undefined {
  if (dependency === undefined) return present;
  if (dependency === null) return undefined;
  const enabled = dependency.enabled ?? true;
  const variants = enabled ? [...new Set(dependency.variants ?? [])] : [];
  return { child: name, parent: dependency.feature, enabled, variants };
}

function planEnvironments(
  base: FlagDefinition,
  desired: DesiredFlag,
  target: ProjectWithEnvironments,
  rules: FlagRules,
  faults: Fault[],
): ReadonlyMap<string, FlagInEnvironment> {
  const after = new Map(base.environments);
  for (const [environment, state] of desired.environments ?? []) {
    const path = `environments.${environment}`;
    if (!target.environments.includes(environment)) {
      faults.push({ path, message: `must be an environment of the project ${desired.project}` });
      continue;
    }
    const inner: Fault[] = [];
    // A flag has no state yet in an environment that the plan adds to the project; it starts off.
    const before = base.environments.get(environment) ?? off;
    const planned = planEnvironment({ featureName: desired.name, environment, target }, before, state, rules, inner);
    faults.push(...inner.map((fault) => ({ ...fault, path: `${path}.${fault.path}` })));
    if (planned !== undefined) after.set(environment, planned);
  }
  return after;
}

function planEnvironment(
  place: StrategyPlace,
  before: FlagInEnvironment,
  desired: DesiredEnvironment,
  rules: FlagRules,
  faults: Fault[],
): FlagInEnvironment | undefined {
  const list = withActiveStrategy(place.featureName, desired);
  const strategies =
    list === undefined
      ? before.strategies
      : planStrategies(place, before.strategies, { ...desired, strategies: list }, rules, faults);
  const { variants: own } = desired;
  const variants =
    own === undefined
      ? before.variants
      : collectFaults(faults, '', () => distributeWeights(own, { kept: before.variants }));
  if (strategies === undefined || variants === undefined) return undefined;
  return { ...planEnabled(place, before, desired, strategies, rules), variants };
}
