import { newId } from '../../../kernel/ids.ts';
import { reservedInPlan } from '../../../kernel/visible-names.ts';
import { requireNamed } from '../../projects/index.ts';
import { distinctTags } from '../../tags/index.ts';
import type { Dependency } from '../dependencies/index.ts';
import type { Feature, FeatureTag } from '../feature/index.ts';
import { type Link, maxLinks, titleOf } from '../links/index.ts';
import { distributeWeights } from '../variants/index.ts';
import { collectFaults, type Fault } from './faults.ts';
import type {
  DesiredEnvironment,
  DesiredFlag,
  DesiredLink,
  FlagDefinition,
  FlagInEnvironment,
} from './flag-definition.ts';
import { planStrategies, planSwitch, type StrategyPlace, withActive } from './plan-strategies.ts';
import type { FlagRules, ProjectWithEnvironments } from './rules.ts';

/** A flag before and after a planned change. */
export interface FlagPlan {
  /** Undefined for a new flag. */
  readonly before: FlagDefinition | undefined;
  readonly after: FlagDefinition;
}

/**
 * Returns the change that brings a flag to its desired state, by the rules of the single changes. Otherwise adds the
 * reasons to `faults` and returns undefined. {@link checkDependencies} checks the dependencies of all flags together.
 */
export function planFlag(
  before: FlagDefinition | undefined,
  wanted: DesiredFlag,
  rules: FlagRules,
  faults: Fault[],
): FlagPlan | undefined {
  const of = rules.projects.get(wanted.project);
  const refusal = of === undefined ? `there is no project ${wanted.project}` : refuse(before, wanted, of, rules);
  if (of === undefined || refusal !== undefined) {
    faults.push({ path: '', message: refusal ?? '' });
    return undefined;
  }
  const known = faults.length;
  if (before === undefined) collectFaults(faults, '', () => requireNamed(of.project, wanted.name));
  const base = before === undefined ? newFlag(wanted, of, rules) : revived(before);
  const after: FlagDefinition = {
    feature: planFeature(base.feature, wanted),
    tags: planTags(base.tags, wanted, rules, faults),
    links: planLinks(base.links, wanted, faults),
    dependency: planDependency(base.dependency, wanted),
    environments: planEnvironments(base, wanted, of, rules, faults),
  };
  return faults.length > known ? undefined : { before, after };
}

function refuse(
  before: FlagDefinition | undefined,
  wanted: DesiredFlag,
  { project }: ProjectWithEnvironments,
  rules: FlagRules,
): string | undefined {
  if (project.archivedAt !== null) return `the project ${project.id} is archived`;
  if (before === undefined) return undefined;
  if (before.feature.project !== wanted.project) {
    if (rules.hidden.has(before.feature.project)) return reservedInPlan(wanted.name);
    return `a flag of another project is named ${wanted.name}`;
  }
  if (before.feature.archivedAt !== null && rules.archived === 'refused')
    return 'is archived: revive or delete it first';
  return undefined;
}

function newFlag({ name, project }: DesiredFlag, of: ProjectWithEnvironments, rules: FlagRules): FlagDefinition {
  const off: FlagInEnvironment = { enabled: false, strategies: [], variants: [] };
  return {
    feature: {
      name,
      project,
      type: 'release',
      description: null,
      impressionData: false,
      stale: false,
      createdAt: rules.now,
      createdByUserId: rules.userId,
      archivedAt: null,
      lastSeenAt: null,
      preLiveAt: null,
      liveAt: null,
      completed: null,
    },
    tags: [],
    links: [],
    dependency: undefined,
    environments: new Map(of.environments.map((environment) => [environment, off])),
  };
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

function planFeature(feature: Feature, wanted: DesiredFlag): Feature {
  return {
    ...feature,
    type: wanted.type ?? feature.type,
    description: wanted.description === undefined ? feature.description : wanted.description,
    impressionData: wanted.impressionData ?? feature.impressionData,
    stale: wanted.stale ?? feature.stale,
  };
}

function planTags(
  present: readonly FeatureTag[],
  { tags, moreTags = [] }: DesiredFlag,
  rules: FlagRules,
  faults: Fault[],
): readonly FeatureTag[] {
  const wanted = distinctTags([...(tags ?? present), ...moreTags]);
  for (const [index, { type }] of (tags ?? moreTags).entries()) {
    if (!rules.tagTypes.has(type))
      faults.push({ path: `tags.${index}`, message: `must be of a type of tags that there is, not ${type}` });
  }
  return wanted;
}

/** Matches links by URL, so that a present link keeps its id. */
function planLinks(present: readonly Link[], wanted: DesiredFlag, faults: Fault[]): readonly Link[] {
  const { name, links, moreLinks = [] } = wanted;
  const missing = moreLinks.filter(({ url }) => !present.some((one) => one.url === url));
  if (links === undefined && missing.length === 0) return present;
  const all: readonly DesiredLink[] = [...(links ?? present), ...missing];
  if (all.length > maxLinks) faults.push({ path: 'links', message: `must hold at most ${maxLinks}` });
  const free = [...present];
  return all.map((one) => {
    const at = free.findIndex(({ url }) => url === one.url);
    const [old] = at < 0 ? [] : free.splice(at, 1);
    return { id: old?.id ?? newId(), featureName: name, url: one.url, title: titleOf(one) };
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
  wanted: DesiredFlag,
  of: ProjectWithEnvironments,
  rules: FlagRules,
  faults: Fault[],
): ReadonlyMap<string, FlagInEnvironment> {
  const after = new Map(base.environments);
  for (const [environment, one] of wanted.environments ?? []) {
    const path = `environments.${environment}`;
    if (!of.environments.includes(environment)) {
      faults.push({ path, message: `must be an environment of the project ${wanted.project}` });
      continue;
    }
    const inner: Fault[] = [];
    // A flag has no state yet in an environment that the plan adds to the project; it starts off.
    const before = base.environments.get(environment) ?? { enabled: false, strategies: [], variants: [] };
    const planned = planEnvironment({ featureName: wanted.name, environment, of }, before, one, rules, inner);
    faults.push(...inner.map((fault) => ({ ...fault, path: `${path}.${fault.path}` })));
    if (planned !== undefined) after.set(environment, planned);
  }
  return after;
}

function planEnvironment(
  place: StrategyPlace,
  before: FlagInEnvironment,
  wanted: DesiredEnvironment,
  rules: FlagRules,
  faults: Fault[],
): FlagInEnvironment | undefined {
  const list = withActive(place.featureName, wanted);
  const strategies =
    list === undefined
      ? before.strategies
      : planStrategies(place, before.strategies, { ...wanted, strategies: list }, rules, faults);
  const { variants: own } = wanted;
  const variants = own === undefined ? before.variants : collectFaults(faults, '', () => distributeWeights(own));
  if (strategies === undefined || variants === undefined) return undefined;
  return { ...planSwitch(place, before, wanted, strategies, rules), variants };
}
