import type { ParsedState } from '@yardarm/contract';
import type { DesiredEnvironment, DesiredFlag, DesiredStrategy } from '#features/flags/definitions/index.ts';
import type { Constraint } from '#features/platform/constraints/index.ts';
import type {
  DesiredActionSet,
  DesiredMilestone,
  DesiredReleasePlan,
  DesiredSafeguards,
  DesiredState,
} from './desired-state.ts';

type StateProject = NonNullable<ParsedState['projects']>[string];
type StateActionSet = NonNullable<StateProject['actions']>[string];
type StateFlag = NonNullable<StateProject['flags']>[string];
type StateEnvironment = NonNullable<StateFlag['environments']>[string];
type StateStrategy = NonNullable<StateEnvironment['strategies']>[number];
type StateConstraint = NonNullable<StateStrategy['constraints']>[number];
type StateReleasePlan = NonNullable<StateEnvironment['releasePlan']>;
type StateMilestone = NonNullable<StateReleasePlan['milestones']>[number];
type StateVariant = NonNullable<StateEnvironment['variants']>[number];

/** Converts a state file to the desired state. Entities are identified by name, because a state file has no ids. */
export function toDesiredState({
  projects = {},
  segments = {},
  contextFields = {},
  tagTypes = {},
  releaseTemplates = {},
}: ParsedState): DesiredState {
  return {
    projects: Object.entries(projects).map(([id, { flags: _, actions: __, switchedBy: ___, ...project }]) => ({
      id,
      ...project,
    })),
    flags: Object.entries(projects).flatMap(([project, { flags = {} }]) =>
      Object.entries(flags).map(([name, flag]) => flagOf(name, project, flag)),
    ),
    segments: Object.entries(segments).map(([name, { constraints, ...segment }]) => ({
      name,
      ...segment,
      ...(constraints === undefined ? {} : { constraints: constraints.map(constraintOf) }),
    })),
    contextFields: Object.entries(contextFields).map(([name, { legalValues, ...field }]) => ({
      name,
      ...field,
      ...(legalValues === undefined
        ? {}
        : { legalValues: legalValues.map((value) => (typeof value === 'string' ? { value: value } : value)) }),
    })),
    tagTypes: Object.entries(tagTypes).map(([name, type]) => ({ name, ...type })),
    strategies: [],
    actionSets: Object.entries(projects).flatMap(([project, { actions = {} }]) =>
      Object.entries(actions).map(([name, set]) => actionSetOf(project, name, set)),
    ),
    releasePlans: Object.entries(projects).flatMap(([project, { flags = {} }]) =>
      Object.entries(flags).flatMap(([featureName, flag]) => releasePlansOf({ project, featureName }, flag)),
    ),
    safeguards: Object.entries(projects).flatMap(([project, { flags = {} }]) =>
      Object.entries(flags).flatMap(([featureName, flag]) => safeguardsOf({ project, featureName }, flag)),
    ),
    releaseTemplates: Object.entries(releaseTemplates).map(([name, { milestones, ...template }]) => ({
      name,
      ...template,
      ...(milestones === undefined ? {} : { milestones: milestonesOf(milestones) }),
    })),
  };
}

function actionSetOf(project: string, name: string, { when, do: steps, ...set }: StateActionSet): DesiredActionSet {
  return {
    project,
    name,
    ...set,
    endpoint: when?.endpoint,
    trigger: when?.trigger,
    forEach: when?.forEach,
    filters: when?.filters,
    release: when?.release,
    actions: steps?.map(({ action, parameters }, index) => ({
      action,
      sortOrder: index + 1,
      executionParams: { project, ...parameters },
    })),
  };
}

function flagOf(name: string, project: string, flag: StateFlag): DesiredFlag {
  const { tags, links, dependsOn, environments = {}, switchedBy: _, ...metadata } = flag;
  return {
    name,
    project,
    ...metadata,
    tags: tags?.map((text) => {
      const at = text.indexOf(':');
      return { type: text.slice(0, at), value: text.slice(at + 1) };
    }),
    links: links?.map((link) => (typeof link === 'string' ? { url: link } : link)),
    dependency: dependencyOf(dependsOn),
    environments: new Map(
      Object.entries(environments).map(([environment, state]): [string, DesiredEnvironment] => [
        environment,
        {
          enabled: state.enabled,
          strategies: state.strategies?.map(strategyOf),
          variants: state.variants?.map(variantOf),
        },
      ]),
    ),
  };
}

function releasePlansOf(
  flag: Pick<DesiredReleasePlan, 'project' | 'featureName'>,
  { environments = {} }: StateFlag,
): DesiredReleasePlan[] {
  return Object.entries(environments).flatMap(([environment, { releasePlan }]) =>
    releasePlan === undefined ? [] : [{ ...flag, environment, plan: releasePlan && releasePlanOf(releasePlan) }],
  );
}

function safeguardsOf(
  flag: Pick<DesiredSafeguards, 'project' | 'featureName'>,
  { environments = {} }: StateFlag,
): DesiredSafeguards[] {
  return Object.entries(environments).flatMap(([environment, { safeguards: own, releasePlan }]) => {
    const ofPlan = releasePlan === null ? null : releasePlan?.safeguards;
    return own === undefined && (ofPlan ?? undefined) === undefined ? [] : [{ ...flag, environment, own, ofPlan }];
  });
}

function releasePlanOf({ milestones, safeguards: _, ...plan }: StateReleasePlan): DesiredReleasePlan['plan'] {
  if (milestones === undefined) return plan;
  return {
    ...plan,
    milestones: milestonesOf(milestones),
  };
}

/** Converts the milestones of a state file. */
export function milestonesOf(milestones: readonly StateMilestone[]): readonly DesiredMilestone[] {
  return milestones.map(({ name, transitionCondition = null, strategies }) => ({
    name,
    transitionCondition,
    strategies: strategies.map(strategyOf),
  }));
}

function dependencyOf(dependsOn: StateFlag['dependsOn']): DesiredFlag['dependency'] {
  if (dependsOn === undefined || dependsOn === null) return dependsOn;
  if (typeof dependsOn === 'string') return { feature: dependsOn };
  const { flag, ...rest } = dependsOn;
  return { feature: flag, ...rest };
}

function strategyOf({ constraints = [], variants = [], ...strategy }: StateStrategy): DesiredStrategy {
  return { ...strategy, constraints: constraints.map(constraintOf), variants: variants.map(variantOf) };
}

function constraintOf({ contextName, operator, value, ...rest }: StateConstraint): Constraint {
  return {
    contextName,
    operator,
    values: rest.values ?? [],
    ...(value === undefined ? {} : { value }),
    inverted: rest.inverted ?? false,
    caseInsensitive: rest.caseInsensitive ?? false,
  };
}

function variantOf({ weight = 0, weightType = 'variable', stickiness = 'default', ...variant }: StateVariant) {
  return { ...variant, weight, weightType, stickiness };
}
