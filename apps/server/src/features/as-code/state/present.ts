import { isDeepStrictEqual } from 'node:util';
import {
  fieldsIn,
  flagFields,
  initialFlag,
  initialStrategy,
  initialVariant,
  type RecentQuery,
  type SafeguardBody,
  type State,
  strategyFields,
} from '@yardarm/contract';
import type { FlagDefinition, FlagInEnvironment } from '#features/flags/definitions/index.ts';
import type { Strategy } from '#features/flags/strategies/index.ts';
import type { Constraint } from '#features/platform/constraints/index.ts';
import type { Project } from '#features/projects/projects/index.ts';
import { ownPatience, type Plan } from '#features/releases/release-plans/index.ts';
import { type Milestone, presentCondition, type Template } from '#features/releases/release-templates/index.ts';
import { type Safeguard, safeguardKey } from '#features/releases/safeguards/index.ts';
import type { CurrentState } from './current-state.ts';

type States = NonNullable<State['projects']>;
type StateFlag = NonNullable<States[string]['flags']>[string];
type StateEnvironment = NonNullable<StateFlag['environments']>[string];
type StateTemplate = NonNullable<State['releaseTemplates']>[string];
type StateStrategy = NonNullable<StateEnvironment['strategies']>[number];
/** Presented parameters are text, as in a state that was read. */
type PresentedStrategy = Omit<StateStrategy, 'parameters'> & { parameters?: Record<string, string> };

/** Presents a state without its projects. `isShown` selects the entities that belong to it. */
export function presentShared(
  current: CurrentState,
  isShown: (entity: { readonly project: string | null }) => boolean,
) {
  return {
    version: 1,
    tagTypes: tagTypesOf(current),
    contextFields: contextFieldsOf(current, isShown),
    segments: record(
      [...current.segments.values()].filter(isShown),
      ({ name }) => name,
      ({ description, project, constraints }) => ({
        ...(description === null ? {} : { description }),
        ...(project === null ? {} : { project }),
        constraints: constraints.map(presentConstraint),
      }),
    ),
  } satisfies State;
}

/** Presents a project without its flags and action sets. */
export function presentProject(project: Project, environments: readonly string[]) {
  return {
    name: project.name,
    ...(project.description === null ? {} : { description: project.description }),
    ...(project.mode === 'open' ? {} : { mode: project.mode }),
    ...(project.defaultStickiness === 'default' ? {} : { defaultStickiness: project.defaultStickiness }),
    ...(project.featureLimit === null ? {} : { featureLimit: project.featureLimit }),
    ...(project.naming.pattern === null ? {} : { featureNaming: { ...project.naming } }),
    ...(project.linkTemplates.length === 0 ? {} : { linkTemplates: [...project.linkTemplates] }),
    ...(project.changeReason.required ? { changeReason: { ...project.changeReason } } : {}),
    environments: [...environments],
  } satisfies States[string];
}

function tagTypesOf({ tagTypes }: CurrentState): NonNullable<State['tagTypes']> {
  return record(
    [...tagTypes.values()],
    ({ name }) => name,
    ({ description, icon, color }) => ({
      description,
      ...(icon === null ? {} : { icon }),
      ...(color === null ? {} : { color }),
    }),
  );
}

/** Built-in context fields are included only when they have legal values. */
function contextFieldsOf(
  { contextFields }: CurrentState,
  isShown: (field: { readonly project: string | null }) => boolean,
): NonNullable<State['contextFields']> {
  const included = [...contextFields.values()].filter(
    (field) => isShown(field) && (field.createdAt !== null || field.legalValues.length > 0),
  );
  return record(
    included,
    ({ name }) => name,
    ({ description, stickiness, sortOrder, legalValues, project }) => ({
      ...(description === null ? {} : { description }),
      stickiness,
      sortOrder,
      legalValues: legalValues.map((legal) => (legal.description === undefined ? legal.value : { ...legal })),
      ...(project === null ? {} : { project }),
    }),
  );
}

/** The names of entities that flags refer to by id. */
export interface FlagNames {
  readonly segments: ReadonlyMap<number, string>;
  readonly roles: ReadonlyMap<number, string>;
}

/** The release plans and the safeguards of a flag, by environment. */
export interface PlansOfFlag {
  readonly plans: ReadonlyMap<string, Plan>;
  readonly safeguards: ReadonlyMap<string, readonly Safeguard[]>;
}

interface PlanInEnvironment {
  readonly plan: Plan | undefined;
  readonly safeguards: readonly Safeguard[];
}

/**
 * Presents a flag of a state file, with segments and roles by name. The strategies that a release plan serves are
 * presented in the plan. `plans` and `safeguards` are by environment.
 */
export function presentFlag(flag: FlagDefinition, { plans, safeguards }: PlansOfFlag, names: FlagNames): StateFlag {
  const { feature, tags, links, dependency, environments } = flag;
  return {
    type: feature.type,
    ...withoutInitial(fieldsIn(flagFields, feature), initialFlag),
    ...(tags.length === 0 ? {} : { tags: tags.map(({ type, value }) => `${type}:${value}`).toSorted() }),
    ...(links.length === 0 ? {} : { links: links.toSorted(byText(({ url }) => url)).map(presentLink) }),
    ...(dependency === undefined ? {} : { dependsOn: presentDependsOn(dependency) }),
    environments: record(
      [...environments],
      ([name]) => name,
      ([name, state]) =>
        presentInEnvironment(
          feature.name,
          state,
          { plan: plans.get(name), safeguards: safeguards.get(name) ?? [] },
          names,
        ),
    ),
  };
}

function presentLink({ url, title }: FlagDefinition['links'][number]) {
  return title === null ? url : { url, title };
}

function presentDependsOn({
  parent,
  enabled,
  variants,
}: NonNullable<FlagDefinition['dependency']>): StateFlag['dependsOn'] {
  if (enabled && variants.length === 0) return parent;
  return { flag: parent, enabled, ...(variants.length === 0 ? {} : { variants: [...variants] }) };
}

function presentInEnvironment(
  featureName: string,
  { enabled, strategies, variants }: FlagInEnvironment,
  { plan, safeguards }: PlanInEnvironment,
  names: FlagNames,
): StateEnvironment {
  const own = safeguards.filter(({ planId }) => planId === null);
  const ofPlan = safeguards.filter(({ planId }) => planId !== null);
  return {
    enabled,
    strategies: strategies.map((strategy) => presentStrategy(strategy, featureName, names)),
    ...(variants.length === 0 ? {} : { variants: variants.map(presentVariant) }),
    ...(plan === undefined
      ? {}
      : { releasePlan: { ...presentReleasePlan(plan, names), ...presentSafeguards(ofPlan) } }),
    ...presentSafeguards(own),
  };
}

function presentStrategy(
  strategy: Omit<Strategy, 'featureName' | 'environment' | 'createdAt'>,
  featureName: string,
  { segments }: FlagNames,
): PresentedStrategy {
  // Leave out the default group id, which only a gradual rollout gets when the state is applied.
  const { groupId, ...withoutGroup } = strategy.parameters;
  const isDefaultGroup = strategy.name === 'flexibleRollout' && groupId === featureName;
  const parameters = isDefaultGroup ? withoutGroup : strategy.parameters;
  const { name, sortOrder: _, ...fields } = fieldsIn(strategyFields, strategy);
  const presented = {
    ...fields,
    parameters: sortedByKey(parameters),
    constraints: strategy.constraints.map(presentConstraint),
    segments: strategy.segments.map((id) => segments.get(id) ?? '').toSorted(),
    variants: strategy.variants.map(presentVariant),
  };
  return { name, ...withoutInitial(presented, initialStrategy) };
}

function presentReleasePlan(plan: Plan, names: FlagNames): NonNullable<StateEnvironment['releasePlan']> {
  const { name, description, featureName, maxHalts, shadow, milestones } = plan;
  return {
    name,
    ...(description === null ? {} : { description }),
    ...(maxHalts === null ? {} : { maxHalts }),
    ...ownPatience(plan),
    ...(shadow ? { shadow } : {}),
    milestones: milestones.map((milestone) => presentMilestone(milestone, featureName, names)),
  };
}

function presentSafeguards(safeguards: readonly Safeguard[]) {
  return safeguards.length === 0 ? {} : { safeguards: safeguards.toSorted(byText(safeguardKey)).map(presentSafeguard) };
}

/** Presents a safeguard of a state file, without its status. */
export function presentSafeguard({
  query,
  condition,
  holdAt,
}: Pick<Safeguard, 'query' | 'condition' | 'holdAt'>): SafeguardBody {
  return { impactMetric: withSortedLabels(query), triggerCondition: condition, ...(holdAt === null ? {} : { holdAt }) };
}

function withSortedLabels({ dividedBy, ...query }: RecentQuery): RecentQuery {
  return {
    ...query,
    labelSelectors: sortedByKey(query.labelSelectors),
    ...(dividedBy === undefined
      ? {}
      : { dividedBy: { ...dividedBy, labelSelectors: sortedByKey(dividedBy.labelSelectors) } }),
  };
}

/** Presents a release template, with segments and roles by name. */
export function presentTemplate(
  { description, project, milestones }: Pick<Template, 'description' | 'project' | 'milestones'>,
  names: FlagNames,
) {
  return {
    ...(description === null ? {} : { description }),
    ...(project === null ? {} : { project }),
    // The flag name is empty: the default group id in a template is empty, and each plan fills in the name of its flag.
    milestones: milestones.map((milestone) => presentMilestone(milestone, '', names)),
  } satisfies StateTemplate;
}

function presentMilestone(milestone: Milestone, featureName: string, names: FlagNames) {
  const transitionCondition = namedCondition(milestone, names.roles);
  return {
    name: milestone.name,
    ...(transitionCondition === null ? {} : { transitionCondition }),
    strategies: milestone.strategies.map((strategy) => presentStrategy(strategy, featureName, names)),
  };
}

/** Returns the gates of a milestone with the role by name. A deleted role is left out; applying the file keeps it. */
export function namedCondition(
  { transitionCondition }: Pick<Milestone, 'transitionCondition'>,
  roles: FlagNames['roles'],
) {
  if (transitionCondition === null) return null;
  const { approval, metric, ...others } = presentCondition(transitionCondition);
  const gates = {
    ...others,
    ...(metric === undefined ? {} : { metric: { ...metric, impactMetric: withSortedLabels(metric.impactMetric) } }),
  };
  if (approval?.by !== 'person') return { ...gates, ...(approval === undefined ? {} : { approval }) };
  const role = approval.role === undefined ? undefined : roles.get(approval.role);
  return { ...gates, approval: { by: approval.by, ...(role === undefined ? {} : { role }) } };
}

function presentConstraint({ contextName, operator, values, value, inverted, caseInsensitive }: Constraint) {
  return {
    contextName,
    operator,
    ...(values.length === 0 ? {} : { values: [...values] }),
    ...(value === undefined ? {} : { value }),
    ...(inverted ? { inverted } : {}),
    ...(caseInsensitive ? { caseInsensitive } : {}),
  };
}

/** Variable weights are left out, because they are computed whenever variants are saved. */
function presentVariant({ name, weight, overrides, ...variant }: FlagInEnvironment['variants'][number]) {
  return {
    name,
    ...(variant.weightType === 'fix' ? { weight } : {}),
    ...withoutInitial(variant, initialVariant),
    ...(overrides === undefined
      ? {}
      : { overrides: overrides.map(({ contextName, values }) => ({ contextName, values: [...values] })) }),
  };
}

/** Returns the fields that differ from their initial values. */
function withoutInitial<T extends object>(fields: T, initial: object): Partial<T> {
  const initialValues = new Map<string, unknown>(Object.entries(initial));
  const differing = Object.entries(fields).filter(
    ([field, value]) => !isDeepStrictEqual(value, initialValues.get(field)),
  );
  return Object.fromEntries(differing) as Partial<T>;
}

/** Returns an object with the values by key, in the order of the keys. */
export function record<T, U>(items: readonly T[], key: (item: T) => string, value: (item: T) => U): Record<string, U> {
  return Object.fromEntries(items.toSorted(byText(key)).map((item) => [key(item), value(item)]));
}

/** Returns a copy whose keys are sorted, so that its JSON does not depend on the order in which it was written. */
function sortedByKey<T>(members: Readonly<Record<string, T>>): Record<string, T> {
  return record(
    Object.entries(members),
    ([key]) => key,
    ([, value]) => value,
  );
}

/** Compares by text, in the same order on both database engines. */
export function byText<T>(key: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}
