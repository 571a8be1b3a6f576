import type { ParsedState } from '@yardarm/contract';
import type { Constraint } from '../constraints/index.ts';
import type { DesiredEnvironment, DesiredFlag, DesiredStrategy } from '../flags/index.ts';
import type { DesiredActionSet, DesiredState } from './desired-state.ts';

type StateProject = NonNullable<ParsedState['projects']>[string];
type StateActionSet = NonNullable<StateProject['actions']>[string];
type StateFlag = NonNullable<StateProject['flags']>[string];
type StateEnvironment = NonNullable<StateFlag['environments']>[string];
type StateStrategy = NonNullable<StateEnvironment['strategies']>[number];
type StateConstraint = NonNullable<StateStrategy['constraints']>[number];
type StateVariant = NonNullable<StateEnvironment['variants']>[number];

/** Converts a state file to the desired state. Entities are identified by name, because a state file has no ids. */
export function toDesiredState({
  projects = {},
  segments = {},
  contextFields = {},
  tagTypes = {},
}: ParsedState): DesiredState {
  return {
    projects: Object.entries(projects).map(([id, { flags: _, actions: __, ...project }]) => ({ id, ...project })),
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
        : { legalValues: legalValues.map((one) => (typeof one === 'string' ? { value: one } : one)) }),
    })),
    tagTypes: Object.entries(tagTypes).map(([name, type]) => ({ name, ...type })),
    strategies: [],
    actionSets: Object.entries(projects).flatMap(([project, { actions = {} }]) =>
      Object.entries(actions).map(([name, set]) => actionSetOf(project, name, set)),
    ),
  };
}

function actionSetOf(project: string, name: string, { when, do: steps, ...set }: StateActionSet): DesiredActionSet {
  return {
    project,
    name,
    ...set,
    endpoint: when?.endpoint,
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
  const { tags, links, dependsOn, environments = {}, ...metadata } = flag;
  return {
    name,
    project,
    ...metadata,
    tags: tags?.map((text) => {
      const at = text.indexOf(':');
      return { type: text.slice(0, at), value: text.slice(at + 1) };
    }),
    links: links?.map((one) => (typeof one === 'string' ? { url: one } : one)),
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
