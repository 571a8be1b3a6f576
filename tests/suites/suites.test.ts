import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const [runner, vitest] = [pathOf('./run.ts'), pathOf('../../node_modules/vitest/vitest.mjs')];
const config = pathOf('./fixtures/vitest.config.ts');
const directory = mkdtempSync(join(tmpdir(), 'suites-'));
/** A run starts up to four processes of vitest, one after the other. */
const patienceMs = 240_000;
vi.setConfig({ testTimeout: patienceMs });
let runs = 0;

afterAll(() => rmSync(directory, { recursive: true }));

/** Runs a suite of these fixtures as CI does. */
async function suiteOf(fixtures: readonly string[], { variables = {}, flags = [] as readonly string[] } = {}) {
  const folder = mkdtempSync(join(directory, `${++runs}-`));
  const names = fixtures.map((name) => pathOf(`./fixtures/${name}.fixture.ts`));
  const args = [runner, folder, 'suite', process.execPath, vitest, 'run', '--config', config, ...flags, ...names];
  const options = { timeout: patienceMs, env: { ...process.env, MARKS: folder, ...variables } };
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, said: stdout + stderr }),
    );
  });
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
  const unstable = read('unstable').split('\n').filter(Boolean);
  const again = [...said.matchAll(/^Once more, alone: .*\/(.*)\.fixture\.ts$/gm)].map(([, name]) => name);
  return { code, said, counts: read('counts/suite'), unstable, again };
}

/** The beginning of the line about a fixture. */
const unstable = (fixture: string) => `UNSTABLE tests/suites/fixtures/${fixture}.fixture.ts › `;

describe('a suite', () => {
  test('passes when its tests pass', async () => {
    const result = await suiteOf(['passing']);
    expect(result).toMatchObject({ code: 0, counts: '2 passed, 0 failed\n', unstable: [], again: [] });
  });

  test('fails when vitest does not start', async () => {
    const result = await suiteOf(['passing'], { flags: ['--no-such-option'] });
    expect(result).toMatchObject({ code: 1, counts: '', again: [] });
  });

  test('fails when it has no test', async () => {
    expect(await suiteOf(['missing'])).toMatchObject({ code: 1, again: [] });
  });
});

describe('files that fail twice fail the suite, and what failed is counted', () => {
  test.each([
    ['in a test, in a hook and while they load', ['mixed', 'hook', 'unloadable'], '3 passed, 3 failed\n'],
    ['by an error that nothing handles and by ending their process', ['unhandled', 'killed'], '1 passed, 2 failed\n'],
  ])('%s', async (_how, fixtures, counts) => {
    const result = await suiteOf(fixtures);
    expect(result).toMatchObject({ code: 1, counts, unstable: [] });
    expect(result.again.toSorted()).toEqual(fixtures.toSorted());
  });
});

describe('three files that pass when each runs once more pass the suite, and are named as unstable', () => {
  const why: Readonly<Record<string, string>> = {
    'unstable-1': 'at first > fails (first failure: expected true to be false // Object.is equality)',
    'unstable-load': '(outside of its tests) (first failure: does not load at first)',
    'unstable-rejection': '(outside of its tests) (first failure: nobody waits for this at first)',
    'unstable-crash':
      '(outside of its tests) (first failure: [vitest-pool]: Worker forks emitted error.: Worker exited',
  };

  test.each([
    ['after failures in a test and while they load', ['unstable-1', 'unstable-load'], '5 passed, 0 failed\n'],
    [
      'after errors that nothing handled and the end of their process',
      ['unstable-1', 'unstable-rejection', 'unstable-crash'],
      '7 passed, 0 failed\n',
    ],
  ])('%s', async (_how, fixtures, counts) => {
    const result = await suiteOf(['passing', ...fixtures]);
    expect(result).toMatchObject({ code: 0, counts });
    expect(result.again.toSorted()).toEqual(fixtures.toSorted());
    const lines = fixtures.map((name) => expect.stringContaining(unstable(name) + why[name]));
    expect(result.unstable).toHaveLength(lines.length);
    expect(result.unstable).toEqual(expect.arrayContaining(lines));
    for (const line of result.unstable) expect(result.said).toContain(`${line}\n`);
  });

  test('unless another one fails twice', async () => {
    const result = await suiteOf(['unstable-1', 'mixed']);
    expect(result).toMatchObject({ code: 1, counts: '4 passed, 1 failed\n' });
    expect(result.unstable).toEqual([expect.stringContaining(unstable('unstable-1'))]);
  });
});

test('four failed files fail the suite at once', async () => {
  const result = await suiteOf(['unstable-1', 'unstable-load', 'unstable-rejection', 'mixed']);
  expect(result).toMatchObject({ code: 1, counts: '4 passed, 4 failed\n', unstable: [], again: [] });
});

test('files that were to run in a process that has ended count as failed', async () => {
  const fixtures = ['unstable-crash', 'passing', 'unstable-1', 'unstable-load'];
  const result = await suiteOf(fixtures, { flags: ['--no-isolate', '--maxWorkers=1'] });
  expect(result).toMatchObject({ code: 1, unstable: [] });
  expect(result.counts).not.toContain(' 0 failed');
});

test('each failure is listed on a line', async () => {
  const { said } = await suiteOf(['mixed', 'hook', 'unloadable', 'unhandled']);
  expect(said.match(/^Failed: .*/gm)?.toSorted()).toEqual([
    'Failed: tests/suites/fixtures/hook.fixture.ts: a hook that fails',
    'Failed: tests/suites/fixtures/mixed.fixture.ts > fails: expected 1 to be 2 // Object.is equality',
    'Failed: tests/suites/fixtures/unhandled.fixture.ts: nobody waits for this',
    'Failed: tests/suites/fixtures/unloadable.fixture.ts: a file that does not load',
  ]);
});

describe('tests of a program that is missing', () => {
  test('are skipped with a line that names the package and counted, and fail the suite in CI', async () => {
    const { said, code, counts } = await suiteOf(['program'], { variables: { PATH: '/nowhere' } });
    expect(said).toContain('Skipped 1 test: apt-get install jq\n');
    expect(said).toContain('Skipped 1 test: apt-get install jq curl\n');
    expect(said).toContain('Skipped 2 tests in all because a program is missing\n');
    expect({ code, counts }).toEqual({ code: 1, counts: '1 passed, 0 failed\n' });
  });

  test('do not fail the suite elsewhere', async () => {
    const args = [vitest, 'run', '--config', config, pathOf('./fixtures/program.fixture.ts')];
    const env = { ...process.env, PATH: '/nowhere', TEST_RESULTS_FILE: '' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toContain('Skipped 2 tests in all because a program is missing\n');
  });
});
