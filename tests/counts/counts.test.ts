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

/** What the reporter writes for a run of these fixtures. */
async function countsOf(...fixtures: string[]): Promise<string> {
  const file = join(directory, fixtures.join('-'));
  const options = { timeout: 15_000, env: { ...process.env, TEST_COUNTS_FILE: file } };
  await new Promise((resolve) => {
    execFile(process.execPath, [vitest, 'run', '--config', config, ...fixtures], options, resolve);
  });
  return readFileSync(file, 'utf8');
}

test('counts the tests that pass and those that fail', async () => {
  expect(await countsOf('mixed')).toBe('2 passed, 1 failed\n');
});

test('counts a hook that fails', async () => {
  expect(await countsOf('hook')).toBe('1 passed, 1 failed\n');
});

test('counts a file that does not load', async () => {
  expect(await countsOf('unloadable')).toBe('0 passed, 1 failed\n');
});

test('counts an error that nothing handled', async () => {
  expect(await countsOf('unhandled')).toBe('1 passed, 1 failed\n');
});
