import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usePrograms } from '../../testing/program.ts';

describe('what is named as Unleash can have it named', () => {
  const { start, stop } = usePrograms();
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'yardarm-names-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** The warnings of a start with these variables. */
  async function warningsOf(variables: Record<string, string>): Promise<string[]> {
    const started = await start({ settings: { dataDir } }, { UNLEASH_SECRET: 'kept by the tests', ...variables });
    await stop(started);
    return started.text.split('\n').filter((line) => line.startsWith('{') && JSON.parse(line).level === 40);
  }

  it('uses no database that is named in pieces, which one warning says with the name to use instead', async () => {
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

  it('warns of nothing when no database is named', async () => {
    expect(await warningsOf({ DATABASE_SSL: 'true' })).toEqual([]);
  });

  it('names all variables of Unleash that have no effect in one warning, without their values', async () => {
    const warnings = await warningsOf({
      EMAIL_HOST: 'smtp.example.com',
      EMAIL_USER_PASSWORD: 'hush',
      CHECK_VERSION: 'false',
      SDK_API_RATE_LIMIT_PER_MINUTE: '7',
      UNLEASH_RELEASE_TEMPLATES_LIMIT: '7',
      UNLEASH_FEATURE_FLAGS_LIMIT: '5000',
      PATH_OF_SOMETHING_ELSE: 'mine',
    });
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      {
        settings: [
          'CHECK_VERSION',
          'EMAIL_HOST',
          'EMAIL_USER_PASSWORD',
          'SDK_API_RATE_LIMIT_PER_MINUTE',
          'UNLEASH_RELEASE_TEMPLATES_LIMIT',
        ],
        msg: expect.stringContaining('have no effect'),
      },
    ]);
    expect(warnings.join()).not.toMatch(/hush|example/);
  });
});
