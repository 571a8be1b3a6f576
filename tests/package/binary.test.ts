import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { executable, executableLicenses } from '../../build/executable.ts';
import { lookAround, takeFirstSteps } from './first-steps.ts';
import { emptyFolder, runIn, startIn, stop } from './installed-program.ts';

// Without a PATH, so that no other Node can be found.
const program = { command: executable, env: { PATH: '' } };
// Windows has no SIGTERM: Node ends the process at once, without an exit code.
const endsBySignal = process.platform === 'win32' ? null : 0;
const folder = emptyFolder();

describe('the single executable', () => {
  it('has at most 150 MB', () => {
    expect(statSync(program.command).size).toBeLessThan(150_000_000);
  });

  it('has the licences of Node and of all packages beside it', () => {
    const texts = readFileSync(executableLicenses, 'utf8');
    const names = [/^Node v24/, /^fastify \d/m, /^## react - \d/m];
    expect(names.filter((name) => !name.test(texts))).toEqual([]);
  });

  it('prints its version and commit', async () => {
    expect(await runIn(folder, program, '--version')).toMatch(/^\d+\.\d+\.\d+ \(commit [0-9a-f]{12}(-modified)?\)\n$/);
  });

  it('serves from an empty folder without Node, and ends on SIGTERM', async () => {
    const serving = await startIn(folder, program);
    await takeFirstSteps(serving);
    expect(await stop(serving)).toBe(endsBySignal);
  });

  it('serves the demo, and ends on SIGTERM', async () => {
    const serving = await startIn(folder, program, ['demo', '--port', '0']);
    await lookAround(serving);
    expect(await stop(serving)).toBe(endsBySignal);
  });

  it('backs up and restores', async () => {
    expect(await runIn(folder, program, 'backup', 'all.yardarm')).toMatch(/^Wrote \d+ rows/);
    const elsewhere = { ...program, env: { YARDARM_DATA_DIR: join(folder, 'restored') } };
    expect(await runIn(folder, elsewhere, 'restore', 'all.yardarm')).toMatch(/^Restored \d+ rows/);
  });
});
