import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('./fixtures/vitest.config.ts', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'leftovers-'));

afterAll(() => rmSync(directory, { recursive: true }));

/** Runs the misbehaving files in a vitest of their own; returns the findings for each, and the exit code. */
async function run(): Promise<{ exitCode: number; results: readonly FileResult[] }> {
  const report = join(directory, 'report.json');
  const command = [vitest, 'run', '--config', config, '--reporter=json', '--outputFile', report];
  const exitCode = await new Promise<number>((resolve) => {
    const child = execFile(process.execPath, command, { timeout: 60_000 }, () => resolve(child.exitCode ?? -1));
  });
  return { exitCode, results: JSON.parse(readFileSync(report, 'utf8')).testResults };
}

describe.skipIf(process.platform !== 'linux')('a test file that passes all its tests', () => {
  let outcome: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    outcome = await run();
  }, 60_000);

  function resultOf(fixture: string): FileResult | undefined {
    return outcome.results.find((result) => result.name.endsWith(`/${fixture}.fixture.ts`));
  }

  test.each([
    ['server', /server on 127\.0\.0\.1:\d+/],
    ['worker', /worker thread \d+/],
    ['process', /process \d+: .*setInterval/],
    ['orphan', /process \d+: sleep 321/],
    ['socket', /open sockets/],
    ['file', /temporary file forgotten\.txt/],
  ])('fails when it leaves behind a %s, and is told which', (fixture, message) => {
    const result = resultOf(fixture);
    expect(result?.assertionResults.map(({ status }) => status)).toEqual(['passed']);
    expect(result).toMatchObject({ status: 'failed', message: expect.stringMatching(message) });
  });

  test('passes when it cleans up', () => {
    expect(resultOf('tidy')).toMatchObject({ status: 'passed', message: '' });
  });

  test('fails the run', () => {
    expect(outcome.exitCode).toBe(1);
  });
});
