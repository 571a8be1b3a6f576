import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Options, readOptions } from './options.ts';
import { runScenarios } from './run-scenarios.ts';
import type { Scenario, ScenarioContext } from './scenario.ts';

const runFile = join(import.meta.dirname, 'run.ts');
const seconds = 1000;

/** Runs the command line without DATABASE_URL, or with the one given. */
function bench(args: readonly string[], databaseUrl?: string): Promise<{ code: number; out: string; err: string }> {
  const { DATABASE_URL: _, ...rest } = process.env;
  const env = databaseUrl === undefined ? rest : { ...rest, DATABASE_URL: databaseUrl };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [runFile, ...args], { env, timeout: 60 * seconds }, (error, out, err) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ code: Number(error?.code ?? 0), out, err });
    });
  });
}

function scenario(name: string, engines: Scenario['engines'], run?: Scenario['run']): Scenario {
  return { name, title: name, engines, run: run ?? (async () => [{ name, value: 1, unit: 'x' }]) };
}

const options: Options = {
  list: false,
  smoke: false,
  scenarios: [],
  engines: ['sqlite', 'postgres'],
  databaseUrl: 'postgres://there',
  rounds: 5,
  out: undefined,
};

async function run(part: Partial<Options>) {
  const said: string[] = [];
  return { ...(await runScenarios({ ...options, ...part }, (text) => said.push(text))), said };
}

describe('bench command', () => {
  it('runs scenarios in a smoke run and writes no results', async () => {
    const results = join(import.meta.dirname, 'results');
    const before = await readdir(results).catch(() => []);
    const { code, out, err } = await bench(['--smoke', '--only', 'disk', '--only', 'calibration']);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('calibration') });
    expect(out).toMatch(/bare Fastify, GET 1 kB .* requests\/s/);
    expect(out).toMatch(/4 kB overwritten \+ fdatasync, p99 .* ms/);
    expect(await readdir(results).catch(() => [])).toEqual(before);
  }, 60_000);

  it('lists the scenarios', async () => {
    expect(await bench(['--list'])).toEqual({ code: 0, out: expect.stringMatching(/^calibration {2}\S/m), err: '' });
  });

  it('answers a wrong command line with the error and the usage', async () => {
    const { code, out, err } = await bench(['--only', 'nothing']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^No scenario nothing;[\s\S]*--engine/);
  });
});

describe('bench options', () => {
  const all = [scenario('a', []), scenario('b', ['sqlite'])];

  it('default to all scenarios on SQLite', () => {
    expect(readOptions([], {}, all)).toMatchObject({ engines: ['sqlite'], scenarios: all, rounds: 5, smoke: false });
  });

  it('choose scenarios, engines and rounds', () => {
    const env = { DATABASE_URL: 'postgres://there' };
    const args = ['--only', 'b', '--engine', 'both', '--rounds', '3', '--out', 'r.json'];
    expect(readOptions(args, env, all)).toEqual({ ...options, scenarios: [all[1]], rounds: 3, out: 'r.json' });
  });

  it.each([
    [['--engine', 'postgres'], 'needs DATABASE_URL'],
    [['--engine', 'both'], 'needs DATABASE_URL'],
    [['--engine', 'toString'], 'sqlite, postgres or both'],
    [['--rounds', '0'], '1 to 100'],
    [['--rounds', 'many'], '1 to 100'],
    [['--only', 'c'], 'No scenario c'],
    [['--fast'], '--fast'],
    [['extra'], 'extra'],
  ])('refuse %j', (args, message) => {
    expect(() => readOptions(args, {}, all)).toThrow(message);
  });
});

describe('running scenarios', () => {
  it('runs each scenario on its chosen engines, and scenarios without an engine once', async () => {
    const scenarios = [
      scenario('machine', []),
      scenario('signals', ['sqlite', 'postgres']),
      scenario('file', ['sqlite']),
    ];
    const { rows } = await run({ scenarios });
    expect(rows.map((row) => `${row.name} ${row.engine}`)).toEqual([
      'machine -',
      'signals sqlite',
      'signals postgres',
      'file sqlite',
    ]);
    expect((await run({ scenarios, engines: ['postgres'] })).rows).toHaveLength(2);
  });

  it('reports a scenario that fails or finds nothing, and runs the others', async () => {
    const broken = scenario('broken', [], async () => {
      throw new Error('no disk');
    });
    const empty = scenario('empty', ['sqlite'], async () => []);
    const { rows, failures, said } = await run({ scenarios: [broken, empty, scenario('fine', [])] });
    expect(rows.map((row) => row.name)).toEqual(['fine']);
    expect(failures).toEqual([
      { scenario: 'broken', engine: '-', message: 'no disk' },
      { scenario: 'empty', engine: 'sqlite', message: 'It found nothing' },
    ]);
    expect(said.join('\n')).toContain('failed: no disk');
  });

  it('runs two at a time in a smoke run only, and keeps their order', async () => {
    let running = 0;
    let most = 0;
    let others = Promise.withResolvers<void>();
    const busy = (name: string, work: () => Promise<void> | void) =>
      scenario(name, [], async () => {
        running += 1;
        most = Math.max(most, running);
        await work();
        running -= 1;
        return [{ name, value: 1, unit: 'x' }];
      });
    const scenarios = [
      busy('long', () => others.promise),
      busy('short', () => undefined),
      busy('middling', () => new Promise((resolve) => setImmediate(resolve))),
      busy('last', () => others.resolve()),
    ];
    const smoke = await run({ scenarios, smoke: true });
    expect(smoke.rows.map((row) => row.name)).toEqual(['long', 'short', 'middling', 'last']);
    expect(most).toBe(2);
    others = Promise.withResolvers();
    others.resolve();
    most = 0;
    await run({ scenarios });
    expect(most).toBe(1);
  });

  it('names both why a scenario failed and why it could not be cleaned up', async () => {
    const both = scenario('both', [], async () => {
      await using _ = { [Symbol.asyncDispose]: () => Promise.reject(new Error('would not stop')) };
      throw new Error('no disk');
    });
    expect((await run({ scenarios: [both] })).failures[0]?.message).toBe('no disk; then would not stop');
  });

  it('gives each scenario an empty directory and deletes it, and a database only on PostgreSQL', async () => {
    const given: { context: ScenarioContext; files: string[] }[] = [];
    const looking = scenario('looking', ['sqlite', 'postgres'], async (context) => {
      given.push({ context, files: await readdir(context.workDir) });
      return [{ name: 'x', value: 1, unit: 'x' }];
    });
    await run({ scenarios: [looking] });
    expect(given.map(({ context, files }) => [context.databaseUrl, files])).toEqual([
      [undefined, []],
      ['postgres://there', []],
    ]);
    for (const { context } of given) await expect(readdir(context.workDir)).rejects.toThrow('ENOENT');
  });

  it('reduces times, counts and rounds in a smoke run only', async () => {
    const cut: number[][] = [];
    const measuring = scenario('measuring', [], async ({ ms, count, rounds }) => {
      cut.push([ms(5000), ms(10), count(1000), count(2), rounds]);
      return [{ name: 'x', value: 1, unit: 'x' }];
    });
    await run({ scenarios: [measuring], smoke: true });
    await run({ scenarios: [measuring], smoke: false });
    expect(cut).toEqual([
      [400, 10, 10, 2, 1],
      [5000, 10, 1000, 2, 5],
    ]);
  });

  it('writes a results file to the given folder', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'yardarm-bench-'));
    try {
      const out = join(directory, 'results.json');
      const { code, err } = await bench(['--only', 'disk', '--rounds', '1', '--out', out]);
      expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
      const report = JSON.parse(await readFile(out, 'utf8'));
      expect(report).toMatchObject({
        options: { engines: ['sqlite'], rounds: 1, scenarios: ['disk'] },
        failures: [],
      });
      expect(report.rows).toHaveLength(4);
    } finally {
      await rm(directory, { recursive: true });
    }
  }, 60_000);
});
