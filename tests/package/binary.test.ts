import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookAround, takeFirstSteps } from './first-steps.ts';
import { built, emptyFolder, runIn, startIn, stop } from './installed-program.ts';

// Without a PATH, so that no other Node can be found.
const program = { command: built(`yardarm-${process.platform}-${process.arch}`), env: { PATH: '' } };
const folder = emptyFolder();

describe('the single executable', () => {
  it('has at most 150 MB', () => {
    expect(statSync(program.command).size).toBeLessThan(150_000_000);
  });

  it('prints its version and commit', async () => {
    expect(await runIn(folder, program, '--version')).toMatch(/^\d+\.\d+\.\d+ \(commit [0-9a-f]{12}(-modified)?\)\n$/);
  });

  it('serves from an empty folder without Node, and ends on SIGTERM', async () => {
    const serving = await startIn(folder, program);
    await takeFirstSteps(serving);
    expect(await stop(serving)).toBe(0);
  });

  it('serves the demo, and ends on SIGTERM', async () => {
    const serving = await startIn(folder, program, ['demo', '--port', '0']);
    await lookAround(serving);
    expect(await stop(serving)).toBe(0);
  });

  it('backs up and restores', async () => {
    expect(await runIn(folder, program, 'backup', 'all.yardarm')).toMatch(/^Wrote \d+ rows/);
    const elsewhere = { ...program, env: { YARDARM_DATA_DIR: join(folder, 'restored') } };
    expect(await runIn(folder, elsewhere, 'restore', 'all.yardarm')).toMatch(/^Restored \d+ rows/);
  });
});
