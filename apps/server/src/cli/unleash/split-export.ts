import type { exportResultSchema } from '@yardarm/contract';
import type { z } from 'zod';

/** An export of flags in one environment. */
export type Export = z.output<typeof exportResultSchema>;

/** Unleash takes bodies of at most 500 kB; the rest is for the project and the environment around the export. */
const maxBytes = 500_000 - 1000;

/** The lists of an export whose items belong to one flag. */
const listsOfFlag = [
  'features',
  'featureStrategies',
  'featureEnvironments',
  'featureTags',
  'dependencies',
  'links',
] as const;
/** The lists of an export whose items several flags use. */
const sharedLists = ['contextFields', 'segments', 'tagTypes'] as const;

/** A file for an import into Unleash. */
export interface ExportFile {
  readonly flags: readonly string[];
  readonly text: string;
  /** True when Unleash refuses the file for its size. */
  readonly isTooLarge: boolean;
}

/**
 * Splits an export into files of at most `maxFlags` flags and 500 kB, each with all that its flags use. A parent comes
 * in the same file as its children or in an earlier one, so the files are imported in this order. Only a file of a
 * single flag can be larger.
 */
export function splitExport(data: Export, maxFlags: number): readonly ExportFile[] {
  const parts = partsByFlag(data);
  const files: ExportFile[] = [];
  let names: string[] = [];
  const finish = () => {
    if (names.length > 0) files.push(fileOf(data, names, parts));
    names = [];
  };
  for (const name of parentsFirst(data)) {
    if (names.length >= maxFlags) finish();
    // Only a file that is near the limit is written out to be measured.
    const isNear = sizeOf([...names, name], parts) > maxBytes / 2;
    if (isNear && fileOf(data, [...names, name], parts).isTooLarge) finish();
    names.push(name);
  }
  finish();
  return files;
}

type Parts = ReadonlyMap<string, FlagParts>;

/** The items of one flag, their size, and the names and ids of what they use. */
interface FlagParts {
  readonly own: Pick<Export, (typeof listsOfFlag)[number]>;
  readonly bytes: number;
}

function partsByFlag(data: Export): Parts {
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName);
  const environments = Map.groupBy(data.featureEnvironments, ({ featureName }) => featureName);
  const tags = Map.groupBy(data.featureTags, ({ featureName }) => featureName);
  const dependencies = Map.groupBy(data.dependencies, ({ feature }) => feature);
  const links = Map.groupBy(data.links, ({ feature }) => feature);
  return new Map(
    data.features.map((feature) => {
      const { name } = feature;
      const own = {
        features: [feature],
        featureStrategies: strategies.get(name) ?? [],
        featureEnvironments: environments.get(name) ?? [],
        featureTags: tags.get(name) ?? [],
        dependencies: dependencies.get(name) ?? [],
        links: links.get(name) ?? [],
      };
      return [name, { own, bytes: Buffer.byteLength(JSON.stringify(own)) }];
    }),
  );
}

function sizeOf(names: readonly string[], parts: Parts): number {
  return names.reduce((sum, name) => sum + (parts.get(name)?.bytes ?? 0), 0);
}

function fileOf(data: Export, names: readonly string[], parts: Parts): ExportFile {
  const own = names.flatMap((name) => parts.get(name)?.own ?? []);
  const ofFlags = Object.fromEntries(listsOfFlag.map((list) => [list, own.flatMap((each) => each[list] as unknown[])]));
  const used = usedBy(own);
  const segments = data.segments.filter(({ id }) => used.segments.has(id));
  for (const { constraints = [] } of segments) for (const { contextName } of constraints) used.fields.add(contextName);
  const shared: Pick<Export, (typeof sharedLists)[number]> = {
    contextFields: data.contextFields.filter(({ name }) => used.fields.has(name)),
    // Unleash refuses an export whose segments have more than id and name.
    segments: segments.map(({ id, name }) => ({ id, name })),
    tagTypes: data.tagTypes.filter(({ name }) => used.tagTypes.has(name)),
  };
  const text = `${JSON.stringify({ ...ofFlags, ...shared }, withoutMarks)}\n`;
  return { flags: names, text, isTooLarge: Buffer.byteLength(text) > maxBytes };
}

/** Leaves out the mark of constraints that only Yardarm knows. */
function withoutMarks(key: string, value: unknown): unknown {
  return key === 'looseNumber' ? undefined : value;
}

/** Returns what flags use: ids of segments, names of context fields and of tag types. */
function usedBy(own: readonly FlagParts['own'][]) {
  const used = { segments: new Set<number>(), fields: new Set<string>(), tagTypes: new Set<string>() };
  for (const { featureStrategies, featureEnvironments, featureTags } of own) {
    for (const { segments, constraints, parameters } of featureStrategies) {
      for (const id of segments) used.segments.add(id);
      for (const { contextName } of constraints) used.fields.add(contextName);
      used.fields.add(parameters['stickiness'] ?? '');
    }
    for (const { variants } of [...featureStrategies, ...featureEnvironments])
      for (const { stickiness } of variants) used.fields.add(stickiness);
    for (const { tagType } of featureTags) used.tagTypes.add(tagType);
  }
  return used;
}

/** Returns the names of the flags, each parent before its children, and otherwise in their order. */
function parentsFirst({ features, dependencies }: Export): readonly string[] {
  const parentOf = new Map(dependencies.map(({ feature, dependencies: [first] }) => [feature, first?.feature]));
  const depth = (name: string): number => {
    const parent = parentOf.get(name);
    return parent === undefined ? 0 : 1 + depth(parent);
  };
  return features.map(({ name }) => name).toSorted((a, b) => depth(a) - depth(b));
}
