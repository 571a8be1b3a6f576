import { parseArgs } from 'node:util';
import type { Engine } from './row.ts';
import type { Scenario } from './scenario.ts';

export const usage = `npm run bench -- [options]
  --list               tell which scenarios there are, and measure nothing
  --only <name>        only this scenario; may be given several times
  --engine <engine>    sqlite (default), postgres or both; postgres needs DATABASE_URL, the address of a database that may be filled and emptied
  --rounds <n>         interleaved rounds of each comparison, 1 to 100 (default 5)
  --out <file>         where to write the results (default bench/results/<time>-<commit>.json)
  --smoke              only see that every scenario runs: a moment each, no verdict, no results file`;

export interface Options {
  readonly list: boolean;
  readonly smoke: boolean;
  readonly scenarios: readonly Scenario[];
  readonly engines: readonly Engine[];
  readonly databaseUrl: string | undefined;
  readonly rounds: number;
  readonly out: string | undefined;
}

/** The command line is not valid. The message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const engineChoices: ReadonlyMap<string, readonly Engine[]> = new Map([
  ['sqlite', ['sqlite']],
  ['postgres', ['postgres']],
  ['both', ['sqlite', 'postgres']],
]);

/** Reads the command line. Throws UsageError. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  all: readonly Scenario[],
): Options {
  const values = parse(args);
  const engines = engineChoices.get(values.engine);
  if (engines === undefined) throw new UsageError(`--engine is sqlite, postgres or both, not ${values.engine}`);
  const databaseUrl = env.DATABASE_URL;
  if (engines.includes('postgres') && !databaseUrl) {
    throw new UsageError(
      '--engine postgres needs DATABASE_URL in the environment: postgres://user:password@host:port/database',
    );
  }
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 100)) {
    throw new UsageError(`--rounds is a number from 1 to 100, not ${values.rounds}`);
  }
  const { list, smoke, out } = values;
  return { list, smoke, out, engines, databaseUrl, rounds, scenarios: chosen(values.only, all) };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        list: { type: 'boolean', default: false },
        smoke: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        engine: { type: 'string', default: 'sqlite' },
        rounds: { type: 'string', default: '5' },
        out: { type: 'string' },
      },
    });
    return { out: undefined, ...values };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function chosen(names: readonly string[], all: readonly Scenario[]): readonly Scenario[] {
  const unknown = names.filter((name) => !all.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new UsageError(`No scenario ${unknown.join(', ')}; --list prints all names`);
  return names.length === 0
    ? all.filter((scenario) => !scenario.onlyByName)
    : all.filter((scenario) => names.includes(scenario.name));
}
