import { featureTypeIds, filledText, type Installation, isWebAddress, type State } from '@yardarm/contract';
import type { ConstraintAnswer, VariantAnswer } from './answers.ts';
import { namesOf } from './content-names.ts';
import { Fitting } from './fit.ts';
import { installationOf } from './installation.ts';
import { fittedOrder, type Mapping } from './mapping.ts';
import { type Note, notesOf } from './notes.ts';
import { rulesOf } from './project-rules.ts';
import type { UnleashContent, UnleashFlag, UnleashProject } from './read.ts';

/** The content of an Unleash in the form that Yardarm applies. */
export interface Move {
  readonly state: State;
  readonly installation: Installation;
  /** Notes on renamed objects, on content that is left out, and on content that Unleash's API does not return. */
  readonly notes: readonly Note[];
  /** The names of the flags that are archived in Unleash. */
  readonly archivedFlags: readonly string[];
}

type StateProject = NonNullable<State['projects']>[string];
type StateFlag = NonNullable<StateProject['flags']>[string];
type StateStrategy = NonNullable<NonNullable<NonNullable<StateFlag['environments']>[string]>['strategies']>[number];
type StateConstraint = NonNullable<StateStrategy['constraints']>[number];
type StateField = NonNullable<State['contextFields']>[string];
type StateVariant = NonNullable<StateStrategy['variants']>[number];

/** The number of links that a flag can have. */
const maxLinks = 10;

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
  const mapping = { names: namesOf(content), fit: new Fitting() };
  const { names, fit } = mapping;
  const flags = Map.groupBy(content.flags, ({ project }) => project);
  const state: State = {
    version: 1,
    projects: Object.fromEntries(
      content.projects.map((project) => [
        names.projects.of(project.id),
        projectOf(project, flags.get(project.id) ?? [], mapping),
      ]),
    ),
    segments: Object.fromEntries(
      content.segments.map(({ id, name, description, project, constraints }) => [
        names.segments.get(id) ?? name,
        {
          description: fit.text(description, 4000, `segment ${name}`),
          project: project == null ? null : names.projects.of(project),
          constraints: constraints.map(constraintOf),
        },
      ]),
    ),
    contextFields: Object.fromEntries(content.contextFields.map((field) => contextFieldOf(field, mapping))),
    tagTypes: Object.fromEntries(content.tagTypes.map((type) => tagTypeOf(type, mapping))),
  };
  const installation = installationOf(content, mapping, now);
  return {
    state,
    installation,
    notes: [...fit.notes(), ...notesOf(content, names, now)],
    archivedFlags: content.archivedFlags.map(({ name }) => names.flags.of(name)),
  };
}

function projectOf(project: UnleashProject, flags: readonly UnleashFlag[], mapping: Mapping): StateProject {
  const { names, fit } = mapping;
  const { id, name, description, mode, defaultStickiness, featureLimit, environments } = project;
  const owner = `project ${id}`;
  const stickiness = textOf(defaultStickiness) ?? 'default';
  const settings = 'Settings of projects do not move where they are invalid';
  return {
    name: fit.filled(name, 255, owner, names.projects.of(id)),
    description: fit.text(description, 4000, owner),
    mode: mode === 'protected' || mode === 'private' ? mode : 'open',
    defaultStickiness: fit.accepted(
      stickiness,
      filledText(100).safeParse(stickiness).success,
      'default',
      settings,
      owner,
    ),
    featureLimit: fit.accepted(featureLimit ?? null, isLimit(featureLimit ?? null), null, settings, owner),
    ...rulesOf(project, flags, names),
    environments: environments.map(({ environment }) => names.environments.of(environment)),
    flags: Object.fromEntries(flags.map((flag) => [names.flags.of(flag.name), flagOf(flag, mapping)])),
  };
}

function isLimit(limit: number | null): boolean {
  return limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= 2147483647);
}

function flagOf(flag: UnleashFlag, mapping: Mapping): StateFlag {
  const { names, fit } = mapping;
  const [dependency] = flag.dependencies ?? [];
  const owner = `flag ${flag.name}`;
  const type = (flag.type ?? 'release') as NonNullable<StateFlag['type']>;
  return {
    type: fit.accepted(
      type,
      featureTypeIds.includes(type),
      'release',
      'Flags get the type release where their type is unknown',
      owner,
    ),
    description: fit.text(flag.description, 4000, owner),
    impressionData: flag.impressionData ?? false,
    stale: flag.stale ?? false,
    tags: flag.tags.map(({ type, value }) => `${names.tagTypes.of(type)}:${names.tagValues.of(value)}`),
    links: linksOf(flag, fit),
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
          strategies: inOrder(strategies ?? []).map((strategy) => strategyOf(strategy, owner, mapping)),
          variants: (flag.variants.get(name) ?? []).map((variant) => ({
            ...variantOf(variant),
            ...(variant.overrides == null || variant.overrides.length === 0 ? {} : { overrides: variant.overrides }),
          })),
        },
      ]),
    ),
  };
}

function linksOf({ name, links }: UnleashFlag, fit: Fitting): StateFlag['links'] {
  const owner = `flag ${name}`;
  const possible = (links ?? []).filter(({ url }) => isWebAddress(url) && url.length <= 2000 && isStorable(url));
  const kept = possible.slice(0, maxLinks);
  const message = `Links of flags do not move where they are not http or https URLs, or more than ${maxLinks}`;
  if (kept.length < (links ?? []).length) fit.report(message, owner);
  return kept.map(({ url, title }) => ({ url, title: fit.text(title, 255, owner) }));
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
  owner: string,
  { names, fit }: Mapping,
): StateStrategy {
  return {
    name: names.strategies.of(name),
    title: fit.text(title, 500, owner),
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
    stickiness: textOf(stickiness) ?? 'default',
    ...(payload == null ? {} : { payload: payload as NonNullable<StateVariant['payload']> }),
  };
}

function contextFieldOf(
  { name, description, stickiness, sortOrder, legalValues, project }: UnleashContent['contextFields'][number],
  { names, fit }: Mapping,
): [string, StateField] {
  const owner = `context field ${name}`;
  const legal = legalValues ?? [];
  const isPossible =
    legal.every(({ value }) => filledText(100).safeParse(value).success) &&
    new Set(legal.map(({ value }) => value)).size === legal.length &&
    legal.length <= 10_000;
  const message =
    'Context fields accept any value where a legal value is blank, listed twice or longer than 100 characters';
  return [
    names.contextFields.of(name),
    {
      description: fit.text(description, 4000, owner),
      stickiness: stickiness ?? false,
      sortOrder: fittedOrder(sortOrder),
      legalValues: fit.accepted(legal, isPossible, [], message, owner).map(({ value, description: about }) => ({
        value,
        ...(about == null ? {} : { description: fit.text(about, 1000, owner) ?? '' }),
      })),
      ...(project == null ? {} : { project: names.projects.of(project) }),
    },
  ];
}

function tagTypeOf(
  { name, description, icon, color }: UnleashContent['tagTypes'][number],
  { names, fit }: Mapping,
): [string, NonNullable<State['tagTypes']>[string]] {
  const owner = `tag type ${name}`;
  const message = 'Colors do not move where they are not # and six hexadecimal digits';
  return [
    names.tagTypes.of(name),
    {
      description: fit.text(description, 4000, owner) ?? '',
      icon: fit.text(icon, 255, owner),
      color: fit.accepted(textOf(color), color == null || /^(#[0-9A-Fa-f]{6})?$/.test(color), null, message, owner),
    },
  ];
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Returns the text; null when it is empty or absent. */
function textOf(text: string | null | undefined): string | null {
  return text == null || text === '' ? null : text;
}
