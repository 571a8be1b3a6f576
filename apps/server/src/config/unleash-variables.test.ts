import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usePrograms } from '#testing/program.ts';

describe('variables of Unleash', () => {
  const { start, stop } = usePrograms();
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'yardarm-names-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** Returns the warnings of a start with these variables. */
  async function warningsOf(variables: Record<string, string>): Promise<string[]> {
    const started = await start({ settings: { dataDir } }, { UNLEASH_SECRET: 'kept by the tests', ...variables });
    await stop(started);
    return started.text.split('\n').filter((line) => line.startsWith('{') && JSON.parse(line).level === 40);
  }

  it('for parts of the database have no effect; one warning names DATABASE_URL', async () => {
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

  it('cause no warning when none names a database', async () => {
    expect(await warningsOf({ DATABASE_SSL: 'true' })).toEqual([]);
  });

  it('without an effect are listed in one warning, without their values', async () => {
    const warnings = await warningsOf({
      EMAIL_USER_PASSWORD: 'hush',
      CHECK_VERSION: 'false',
      SDK_API_RATE_LIMIT_PER_MINUTE: '7',
      UNLEASH_FEATURE_FLAGS_LIMIT: '5000',
      PATH_OF_SOMETHING_ELSE: 'mine',
    });
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      {
        settings: ['CHECK_VERSION', 'EMAIL_USER_PASSWORD', 'SDK_API_RATE_LIMIT_PER_MINUTE'],
        msg: expect.stringContaining('have no effect'),
      },
    ]);
    expect(warnings.join()).not.toMatch(/hush|example/);
  });
});
