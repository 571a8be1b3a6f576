import { email, type Installation, type State } from '@yardarm/contract';
import type { ConstraintAnswer, TokenAnswer, VariantAnswer } from './answers.ts';
import { type Names, namesOf } from './content-names.ts';
import { isExpired, type Note, notesOf } from './notes.ts';
import { rulesOf } from './project-rules.ts';
import type { UnleashContent, UnleashFlag, UnleashProject } from './read.ts';

/** The content of an Unleash in the form that Yardarm applies. */
export interface Move {
  readonly state: State;
  readonly installation: Installation;
  /** Notes on renamed objects, on content that is left out, and on content that Unleash's API does not return. */
  readonly notes: readonly Note[];
}

type StateProject = NonNullable<State['projects']>[string];
type StateFlag = NonNullable<StateProject['flags']>[string];
type StateStrategy = NonNullable<NonNullable<NonNullable<StateFlag['environments']>[string]>['strategies']>[number];
type StateConstraint = NonNullable<StateStrategy['constraints']>[number];
type StateVariant = NonNullable<StateStrategy['variants']>[number];

/** Returns the ids of segments that flags use and Unleash does not list, ascending. */
export function missingSegments({ flags, segments }: UnleashContent): readonly number[] {
  const listed = new Set(segments.map(({ id }) => id));
  const strategies = flags.flatMap(({ environments }) =>
    environments.flatMap((environment) => environment.strategies ?? []),
  );
  const used = new Set(strategies.flatMap((strategy) => strategy.segments ?? []));
  return [...used].filter((id) => !listed.has(id)).toSorted((a, b) => a - b);
}

/**
 * Converts the content of an Unleash that has no {@link missingSegments}. Everything that SDKs evaluate is included;
 * the server refuses what it cannot accept.
 */
export function translate(content: UnleashContent, now: number): Move {
  const names = namesOf(content);
  const flags = Map.groupBy(content.flags, ({ project }) => project);
  const tokens = content.tokens.filter((token) => !isExpired(token, now) && token.type !== 'admin');
  const people = content.users.users.filter(({ accountType }) => accountType !== 'Service Account');
  const roles = new Map(content.users.rootRoles.map(({ id, name }) => [id, name]));
  return {
    state: {
      version: 1,
      projects: Object.fromEntries(
        content.projects.map((project) => [
          names.projects.of(project.id),
          projectOf(project, flags.get(project.id) ?? [], names),
        ]),
      ),
      segments: Object.fromEntries(
        content.segments.map(({ name, description, project, constraints }) => [
          name,
          {
            description: textOf(description),
            project: project == null ? null : names.projects.of(project),
            constraints: constraints.map(constraintOf),
          },
        ]),
      ),
      contextFields: Object.fromEntries(content.contextFields.map((field) => contextFieldOf(field, names))),
      tagTypes: Object.fromEntries(
        content.tagTypes.map(({ name, description, icon, color }) => [
          names.tagTypes.of(name),
          { description: description ?? '', icon: textOf(icon), color: color ?? null },
        ]),
      ),
    },
    installation: {
      environments: content.environments.map(({ name, type, enabled, sortOrder }) => ({
        name: names.environments.of(name),
        type,
        enabled,
        sortOrder,
      })),
      strategies: content.strategies.filter(({ editable }) => editable).map((type) => strategyTypeOf(type, names)),
      tags: content.tags.map(({ type, value }) => ({
        type: names.tagTypes.of(type),
        value: names.tagValues.of(value),
      })),
      users: people.map((person) => userOf(person, roles)),
      apiTokens: tokens.map((token) => tokenOf(token, names)),
    },
    notes: notesOf(content, names, now),
  };
}

function projectOf(project: UnleashProject, flags: readonly UnleashFlag[], names: Names): StateProject {
  const { name, description, mode, defaultStickiness, featureLimit, environments } = project;
  return {
    name,
    description: textOf(description),
    mode: mode === 'protected' || mode === 'private' ? mode : 'open',
    defaultStickiness: defaultStickiness ?? 'default',
    featureLimit: featureLimit ?? null,
    ...rulesOf(project, flags, names),
    environments: environments.map(({ environment }) => names.environments.of(environment)),
    flags: Object.fromEntries(flags.map((flag) => [names.flags.of(flag.name), flagOf(flag, names)])),
  };
}

function flagOf(flag: UnleashFlag, names: Names): StateFlag {
  const [dependency] = flag.dependencies ?? [];
  return {
    type: (flag.type ?? 'release') as NonNullable<StateFlag['type']>,
    description: textOf(flag.description),
    impressionData: flag.impressionData ?? false,
    stale: flag.stale ?? false,
    tags: flag.tags.map(({ type, value }) => `${names.tagTypes.of(type)}:${names.tagValues.of(value)}`),
    links: (flag.links ?? []).map(({ url, title }) => ({ url, title: textOf(title) })),
    dependsOn:
      dependency === undefined
        ? null
        : {
            flag: names.flags.of(dependency.feature),
            enabled: dependency.enabled ?? true,
            variants: dependency.variants ?? [],
          },
    environments: Object.fromEntries(
      flag.environments.map(({ name, enabled, strategies }) => [
        names.environments.of(name),
        {
          enabled,
          strategies: inOrder(strategies ?? []).map((strategy) => strategyOf(strategy, names)),
          variants: (flag.variants.get(name) ?? []).map((variant) => ({
            ...variantOf(variant),
            ...(variant.overrides == null || variant.overrides.length === 0 ? {} : { overrides: variant.overrides }),
          })),
        },
      ]),
    ),
  };
}

type StrategyAnswer = NonNullable<UnleashFlag['environments'][number]['strategies']>[number];

/** Sorts strategies by position, then by id: Unleash's ids ascend with the time of creation. */
function inOrder(strategies: readonly StrategyAnswer[]): readonly StrategyAnswer[] {
  return strategies.toSorted(
    (a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1),
  );
}

function strategyOf(
  { name, title, disabled, parameters, constraints, segments, variants }: StrategyAnswer,
  names: Names,
): StateStrategy {
  return {
    name: names.strategies.of(name),
    title: textOf(title),
    disabled: disabled ?? false,
    parameters: parameters ?? {},
    constraints: (constraints ?? []).map(constraintOf),
    segments: (segments ?? []).map((id) => names.segments.get(id) ?? String(id)),
    variants: (variants ?? []).map(variantOf),
  };
}

/**
 * Converts a constraint. Keeps the name of the context field, also a name that Yardarm would change, because SDKs send
 * it.
 */
function constraintOf({
  contextName,
  operator,
  values,
  value,
  inverted,
  caseInsensitive,
}: ConstraintAnswer): StateConstraint {
  return {
    contextName,
    operator: operator as StateConstraint['operator'],
    values: values ?? [],
    ...(value == null ? {} : { value }),
    inverted: inverted ?? false,
    caseInsensitive: caseInsensitive ?? false,
  };
}

function variantOf({ name, weight, weightType, stickiness, payload }: VariantAnswer): StateVariant {
  return {
    name,
    weight,
    weightType: weightType === 'fix' ? 'fix' : 'variable',
    stickiness: stickiness ?? 'default',
    ...(payload == null ? {} : { payload: payload as NonNullable<StateVariant['payload']> }),
  };
}

function contextFieldOf(
  { name, description, stickiness, sortOrder, legalValues, project }: UnleashContent['contextFields'][number],
  names: Names,
): [string, NonNullable<State['contextFields']>[string]] {
  return [
    names.contextFields.of(name),
    {
      description: textOf(description),
      stickiness: stickiness ?? false,
      sortOrder: sortOrder ?? 0,
      legalValues: (legalValues ?? []).map(({ value, description: about }) => ({
        value,
        ...(about == null ? {} : { description: about }),
      })),
      ...(project == null ? {} : { project: names.projects.of(project) }),
    },
  ];
}

type StrategyType = NonNullable<Installation['strategies']>[number];

function strategyTypeOf(
  { name, title, description, deprecated, parameters }: UnleashContent['strategies'][number],
  names: Names,
): StrategyType {
  return {
    name: names.strategies.of(name),
    title: textOf(title),
    description: description ?? '',
    deprecated: deprecated ?? false,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      type: parameter.type as StrategyType['parameters'][number]['type'],
      description: parameter.description ?? '',
      required: parameter.required ?? false,
    })),
  };
}

type UserAnswer = UnleashContent['users']['users'][number];

function userOf(
  { username, email: address, name, rootRole }: UserAnswer,
  roles: ReadonlyMap<number, string>,
): NonNullable<Installation['users']>[number] {
  const isAddress = address != null && email.safeParse(address).success;
  const login = visible(username) ?? (isAddress ? undefined : visible(address));
  return {
    ...(login === undefined ? {} : { username: login }),
    ...(isAddress ? { email: address } : {}),
    ...(visible(name) === undefined ? {} : { name: visible(name) }),
    rootRole: roles.get(rootRole) ?? 'Viewer',
  };
}

/** Returns one line of at most 255 characters; undefined for empty text. */
function visible(text: string | null | undefined): string | undefined {
  const line = (text ?? '')
    .replace(/[\p{Cc}\p{Cs}]/gu, '_')
    .trim()
    .slice(0, 255);
  return line === '' ? undefined : line;
}

function tokenOf(token: TokenAnswer, names: Names): NonNullable<Installation['apiTokens']>[number] {
  const { tokenName, type, environment, expiresAt } = token;
  const projects = token.projects ?? [token.project ?? '*'];
  return {
    tokenName: tokenName.slice(0, 255),
    type: type as 'client' | 'backend' | 'frontend',
    environment: names.environments.of(environment ?? 'development'),
    projects: projects.map((id) => (id === '*' ? id : names.projects.of(id))),
    expiresAt: expiresAt ?? null,
  };
}

/** Returns the text; null when it is empty or absent. */
function textOf(text: string | null | undefined): string | null {
  return text == null || text === '' ? null : text;
}
