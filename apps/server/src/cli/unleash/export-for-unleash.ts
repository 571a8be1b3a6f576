import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { CommandError } from '../command-error.ts';
import { writeText } from '../files.ts';
import type { Remote } from '../remote.ts';
import { type ExportOptions, fetchExport } from '../transfer-commands.ts';
import { segmentsAnswer, strategiesAnswer } from './answers.ts';
import { connectToUnleash, type UnleashApi, unleashToken } from './api.ts';
import { notesOnExport, type StateHere } from './back-notes.ts';
import { describeNote } from './notes.ts';
import { type Export, splitExport } from './split-export.ts';

export interface BackOptions extends ExportOptions {
  /** The number of flags of a file; one file when absent. */
  readonly split?: number | undefined;
  /** The address of an Unleash in which missing segments and custom strategies are created. */
  readonly createIn?: string | undefined;
  readonly unleashTokenFile?: string | undefined;
}

/**
 * Writes an export in the shape that Unleash 8.2 imports: one file, or several with `split`. Prints to standard error
 * what Unleash lacks, refuses or evaluates differently. With `createIn`, creates the segments and custom strategies
 * that an export does not describe where Unleash lacks them; existing ones stay. Rejects before it writes when a file
 * exists.
 */
export async function exportForUnleash(
  remote: Remote,
  options: BackOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const { split, output, createIn } = options;
  if (split !== undefined && output === undefined)
    throw new CommandError('--split writes several files: name the first part of their names with --output.');
  const unleash =
    createIn === undefined ? undefined : connectToUnleash(createIn, unleashToken(options.unleashTokenFile, variables));
  const data = (await fetchExport(remote, { ...options, wholeSegments: true })) as Export;
  const strategies = await customStrategiesOf(remote, data);
  const files = splitExport(data, split ?? Number.POSITIVE_INFINITY);
  if (split === undefined && files.length > 1)
    throw new CommandError(
      `The export is larger than the 500 kB that Unleash takes. Write several files: --split 400 --output <name>`,
    );
  const paths = files.map((_, index) => (split === undefined ? output : pathOf(output ?? '', index + 1)));
  const present = paths.filter((path) => path !== undefined && existsSync(path));
  if (present.length > 0) throw new CommandError(`${present.join(', ')} cannot be written: the file exists.`);
  for (const [index, { flags, text, isTooLarge }] of files.entries()) {
    const path = paths[index];
    if (path === undefined) process.stdout.write(text);
    else writeText(path, text, { replace: false });
    if (path !== undefined) console.error(`Wrote ${path}: ${flags.length} flags.`);
    if (isTooLarge) console.error(describeNote({ message: 'A flag alone is larger than Unleash takes', items: flags }));
  }
  for (const note of notesOnExport(data, await stateHere(remote, options.environment)))
    console.error(describeNote(note));
  if (unleash === undefined) tellWhatIsNeeded(data, strategies);
  else await createMissing(unleash, data, strategies);
}

/** Returns the name of a file: `flags-1.json` for the output `flags.json`. */
function pathOf(output: string, number: number): string {
  return `${output.replace(/\.json$/i, '')}-${number}.json`;
}

type StrategyType = z.output<typeof strategiesAnswer>['strategies'][number];

async function customStrategiesOf(remote: Remote, data: Export): Promise<readonly StrategyType[]> {
  const { strategies } = (await remote.call('GET /api/admin/strategies')) as z.output<typeof strategiesAnswer>;
  const used = new Set(data.featureStrategies.map(({ name }) => name));
  return strategies.filter(({ name, editable }) => editable && used.has(name));
}

interface Listed {
  readonly featureName: string;
  readonly environment: string;
}

/** Returns the flags of the environment that are held or have a release plan. */
async function stateHere(remote: Remote, environment: string): Promise<StateHere> {
  const all = async (path: 'leases' | 'release-plans', list: 'leases' | 'releasePlans') => {
    const found: Listed[] = [];
    for (;;) {
      const answer = await remote.call(
        `GET /api/admin/${path}?limit=1000&offset=${found.length}` as 'GET /api/admin/leases',
      );
      const { total, [list]: page = [] } = answer as { total: number } & Partial<Record<typeof list, Listed[]>>;
      found.push(...page);
      if (page.length === 0 || found.length >= total) break;
    }
    return found.filter((each) => each.environment === environment).map(({ featureName }) => featureName);
  };
  return { held: await all('leases', 'leases'), planned: await all('release-plans', 'releasePlans') };
}

function tellWhatIsNeeded(data: Export, strategies: readonly StrategyType[]): void {
  const notes = [
    { message: 'Unleash must have these segments before the import', items: data.segments.map(({ name }) => name) },
    {
      message: 'Unleash must have these custom strategies before the import',
      items: strategies.map(({ name }) => name),
    },
  ].filter(({ items }) => items.length > 0);
  for (const note of notes) console.error(describeNote(note));
  if (notes.length > 0) console.error('--create-in <url> creates those that are missing.');
}

async function createMissing(unleash: UnleashApi, data: Export, strategies: readonly StrategyType[]): Promise<void> {
  const thereSegments = new Set((await unleash.get('segments', segmentsAnswer)).segments.map(({ name }) => name));
  const thereStrategies = new Set(
    (await unleash.get('strategies', strategiesAnswer)).strategies.map(({ name }) => name),
  );
  const missingStrategies = strategies.filter(({ name }) => !thereStrategies.has(name));
  const missingSegments = data.segments.filter(({ name }) => !thereSegments.has(name));
  for (const { name, title, description, parameters } of missingStrategies)
    await create(unleash, 'strategies', `custom strategy ${name}`, {
      name,
      ...(title == null ? {} : { title }),
      description: description ?? '',
      parameters,
    });
  for (const { name, description, project, constraints = [] } of missingSegments)
    await create(unleash, 'segments', `segment ${name}`, {
      name,
      description: description ?? '',
      ...(project == null ? {} : { project }),
      constraints: constraints.map(({ looseNumber: _, ...constraint }) => constraint),
    });
  const kept = [...data.segments, ...strategies]
    .map(({ name }) => name)
    .filter((name) => thereSegments.has(name) || thereStrategies.has(name));
  if (kept.length > 0)
    console.error(describeNote({ message: 'Unleash has these already, and they were not compared', items: kept }));
}

async function create(unleash: UnleashApi, path: string, what: string, body: object): Promise<void> {
  try {
    await unleash.post(path, body);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`The ${what} cannot be created: ${error.message}`);
  }
  console.error(`Created the ${what} in Unleash.`);
}
