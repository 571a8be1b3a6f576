import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usePrograms } from '../../testing/program.ts';

describe('a database that is named as Unleash can have it named', () => {
  const { start, stop } = usePrograms();
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'yardarm-names-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** What the program warns of when it starts with these. */
  async function warningsOf(variables: Record<string, string>): Promise<string[]> {
    const started = await start({ settings: { dataDir } }, { UNLEASH_SECRET: 'kept by the tests', ...variables });
    await stop(started);
    return started.text.split('\n').filter((line) => line.startsWith('{') && JSON.parse(line).level === 40);
  }

  it('is not used, which one warning says with the name to use instead', async () => {
    const warnings = await warningsOf({
      DATABASE_HOST: 'db.example.com',
      DATABASE_NAME: 'flags',
      DATABASE_PASSWORD: 'hush',
    });
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      {
        settings: ['DATABASE_HOST', 'DATABASE_NAME', 'DATABASE_PASSWORD'],
        msg: expect.stringContaining('DATABASE_URL'),
      },
    ]);
    expect(warnings.join()).not.toMatch(/hush|db\.example/);
  });

  it('is no trouble where it is not named', async () => {
    expect(await warningsOf({ DATABASE_SSL: 'true' })).toEqual([]);
  });
});
