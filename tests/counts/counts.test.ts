import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('./fixtures/vitest.config.ts', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'counts-'));

afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the output of the reporter for a run of these fixtures. */
async function runOf(...fixtures: string[]): Promise<{ counts: string; said: string }> {
  const file = join(directory, fixtures.join('-'));
  const options = { timeout: 15_000, env: { ...process.env, TEST_COUNTS_FILE: file } };
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [vitest, 'run', '--config', config, ...fixtures], options, (_error, stdout) =>
      resolve(stdout),
    );
  });
  return { counts: readFileSync(file, 'utf8'), said };
}

const countsOf = async (...fixtures: string[]) => (await runOf(...fixtures)).counts;

test('counts the tests that pass and those that fail', async () => {
  expect(await countsOf('mixed')).toBe('2 passed, 1 failed\n');
});

test('counts a hook that fails', async () => {
  expect(await countsOf('hook')).toBe('1 passed, 1 failed\n');
});

test('counts a file that does not load', async () => {
  expect(await countsOf('unloadable')).toBe('0 passed, 1 failed\n');
});

test('counts an unhandled error', async () => {
  expect(await countsOf('unhandled')).toBe('1 passed, 1 failed\n');
});

test('lists each failure on a line', async () => {
  const { said } = await runOf('mixed', 'hook', 'unloadable', 'unhandled');
  expect(said.trim().split('\n').toSorted()).toEqual([
    'Failed: hook.fixture.ts: a hook that fails',
    'Failed: mixed.fixture.ts > fails: expected 1 to be 2 // Object.is equality',
    'Failed: nothing handled an error: nobody waits for this',
    'Failed: unloadable.fixture.ts: a file that does not load',
  ]);
});
