import { featureNameText, filledText, urlFriendly } from '@yardarm/contract';
import { mapNames, type NameMap, type NameRule } from './names.ts';
import type { UnleashContent } from './read.ts';

const forUrls: NameRule = {
  accepts: (name) => urlFriendly.safeParse(name).success,
  characters: /^[A-Za-z0-9_~.-]$/,
  min: 1,
  max: 100,
};
const projectIds: NameRule = {
  ...forUrls,
  accepts: (id) => forUrls.accepts(id) && id !== 'archive' && id !== 'revive',
};
const flagNames: NameRule = {
  accepts: (name) => featureNameText.safeParse(name).success,
  characters: /^[A-Za-z0-9\-_.!~*'()]$/,
  min: 1,
  max: 100,
};
const tagTypeNames: NameRule = {
  ...forUrls,
  accepts: (name) => forUrls.accepts(name) && name.length >= 2 && name.length <= 50,
  min: 2,
  max: 50,
};
const tagValues: NameRule = {
  accepts: (value) =>
    value === value.trim() && value.length >= 2 && value.length <= 50 && filledText(50).safeParse(value).success,
  characters: /^[^\p{Cc}\p{Cs}]$/u,
  min: 2,
  max: 50,
};
const strategyNames: NameRule = {
  accepts: (name) => filledText(100).safeParse(name).success,
  characters: /^[^\p{Cc}\p{Cs}]$/u,
  min: 1,
  max: 100,
};

const segmentNames: NameRule = {
  accepts: (name) => name !== '__proto__' && filledText(255).safeParse(name).success,
  characters: /^[^\p{Cc}\p{Cs}]$/u,
  min: 1,
  max: 255,
};

/** The mapped names of all kinds. Names in constraints are kept. */
export interface Names {
  readonly projects: NameMap;
  readonly environments: NameMap;
  readonly flags: NameMap;
  readonly contextFields: NameMap;
  readonly tagTypes: NameMap;
  readonly tagValues: NameMap;
  readonly strategies: NameMap;
  /** By id in Unleash. */
  readonly segments: ReadonlyMap<number, string>;
  readonly changedSegments: readonly string[];
}

/** Maps every name in Unleash to a name that Yardarm accepts. */
export function namesOf({
  projects,
  environments,
  flags,
  archivedFlags,
  contextFields,
  tagTypes,
  tags,
  strategies,
  segments,
}: UnleashContent): Names {
  const named = (list: readonly { readonly name: string }[], rule: NameRule) =>
    mapNames(
      list.map(({ name }) => name),
      rule,
    );
  const ofSegments = named(segments, segmentNames);
  const values = [...tags, ...flags.flatMap((flag) => flag.tags)].map(({ value }) => value);
  return {
    projects: mapNames(
      projects.map(({ id }) => id),
      projectIds,
    ),
    environments: named(environments, forUrls),
    // With the archived flags, so that a flag keeps its name when another one is archived.
    flags: named([...flags, ...archivedFlags], flagNames),
    contextFields: named(contextFields, forUrls),
    tagTypes: named(tagTypes, tagTypeNames),
    tagValues: mapNames(values, tagValues),
    strategies: named(strategies, strategyNames),
    segments: new Map(segments.map(({ id, name }) => [id, ofSegments.of(name)])),
    changedSegments: ofSegments.changed,
  };
}
