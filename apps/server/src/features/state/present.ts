import type { State } from '@yardarm/contract';
import type { Constraint } from '../constraints/index.ts';
import type { FlagDefinition, FlagInEnvironment } from '../flags/index.ts';
import type { Project } from '../projects/index.ts';
import type { World } from './world.ts';

type States = NonNullable<State['projects']>;
type StateFlag = NonNullable<States[string]['flags']>[string];
type StateEnvironment = NonNullable<StateFlag['environments']>[string];
type StateStrategy = NonNullable<StateEnvironment['strategies']>[number];

/** All of a state but its projects. `isShown` says whether something that may belong to a project is part of it. */
export function presentShared(world: World, isShown: (one: { readonly project: string | null }) => boolean) {
  return {
    version: 1,
    tagTypes: tagTypesOf(world),
    contextFields: contextFieldsOf(world, isShown),
    segments: record(
      [...world.segments.values()].filter(isShown),
      ({ name }) => name,
      ({ description, project, constraints }) => ({
        ...(description === null ? {} : { description }),
        ...(project === null ? {} : { project }),
        constraints: constraints.map(presentConstraint),
      }),
    ),
  } satisfies State;
}

/** A project without its flags and sets of actions. */
export function presentProject(project: Project, environments: readonly string[]) {
  return {
    name: project.name,
    ...(project.description === null ? {} : { description: project.description }),
    ...(project.mode === 'open' ? {} : { mode: project.mode }),
    ...(project.defaultStickiness === 'default' ? {} : { defaultStickiness: project.defaultStickiness }),
    ...(project.featureLimit === null ? {} : { featureLimit: project.featureLimit }),
    environments: [...environments],
  } satisfies States[string];
}

function tagTypesOf({ tagTypes }: World): NonNullable<State['tagTypes']> {
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

/** Those that are there from the start say nothing unless somebody has given them legal values. */
function contextFieldsOf(
  { contextFields }: World,
  isShown: (field: { readonly project: string | null }) => boolean,
): NonNullable<State['contextFields']> {
  const told = [...contextFields.values()].filter(
    (one) => isShown(one) && (one.createdAt !== null || one.legalValues.length > 0),
  );
  return record(
    told,
    ({ name }) => name,
    ({ description, stickiness, sortOrder, legalValues, project }) => ({
      ...(description === null ? {} : { description }),
      stickiness,
      sortOrder,
      legalValues: legalValues.map((one) => (one.description === undefined ? one.value : { ...one })),
      ...(project === null ? {} : { project }),
    }),
  );
}

/** A flag as a state names it; segments by their names. */
export function presentFlag(flag: FlagDefinition, segmentNames: ReadonlyMap<number, string>): StateFlag {
  const { feature, tags, links, dependency, environments } = flag;
  return {
    type: feature.type,
    ...(feature.description === null ? {} : { description: feature.description }),
    ...(feature.impressionData ? { impressionData: true } : {}),
    ...(feature.stale ? { stale: true } : {}),
    ...(tags.length === 0 ? {} : { tags: tags.map(({ type, value }) => `${type}:${value}`).toSorted() }),
    ...(links.length === 0 ? {} : { links: links.map(({ url, title }) => (title === null ? url : { url, title })) }),
    ...(dependency === undefined ? {} : { dependsOn: presentDependsOn(dependency) }),
    environments: Object.fromEntries(
      [...environments].map(([name, state]) => [name, presentInEnvironment(feature.name, state, segmentNames)]),
    ),
  };
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
  segmentNames: ReadonlyMap<number, string>,
): StateEnvironment {
  return {
    enabled,
    strategies: strategies.map((one): StateStrategy => {
      // What everybody expects needs no line.
      const { groupId, ...others } = one.parameters;
      const parameters = groupId === undefined || groupId === featureName ? others : one.parameters;
      return {
        name: one.name,
        ...(one.title === null ? {} : { title: one.title }),
        ...(one.disabled ? { disabled: true } : {}),
        ...(Object.keys(parameters).length === 0 ? {} : { parameters: { ...parameters } }),
        ...(one.constraints.length === 0 ? {} : { constraints: one.constraints.map(presentConstraint) }),
        ...(one.segments.length === 0 ? {} : { segments: one.segments.map((id) => segmentNames.get(id) ?? '') }),
        ...(one.variants.length === 0 ? {} : { variants: one.variants.map(presentVariant) }),
      };
    }),
    ...(variants.length === 0 ? {} : { variants: variants.map(presentVariant) }),
  };
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

/** Variable weights are shared out anew whenever variants are written. */
function presentVariant({
  weight,
  weightType,
  stickiness,
  payload,
  ...variant
}: FlagInEnvironment['variants'][number]) {
  const { name, overrides } = variant;
  return {
    name,
    ...(weightType === 'fix' ? { weight, weightType } : {}),
    ...(stickiness === 'default' ? {} : { stickiness }),
    ...(payload === undefined ? {} : { payload: { ...payload } }),
    ...(overrides === undefined
      ? {}
      : { overrides: overrides.map(({ contextName, values }) => ({ contextName, values: [...values] })) }),
  };
}

/** An object of what `value` returns, in the order of the keys. */
export function record<T, U>(
  things: readonly T[],
  key: (thing: T) => string,
  value: (thing: T) => U,
): Record<string, U> {
  return Object.fromEntries(things.toSorted(byText(key)).map((one) => [key(one), value(one)]));
}

/** Compares by a text: the same order on both engines. */
export function byText<T>(key: (thing: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}
