import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../apps/server/testing/clock.ts';
import { createStorage, startServer, type TestStorage } from '../../apps/server/testing/server.ts';
import { contentsOf, givenRichInstance, lastEventOf } from './rich.ts';

const program = fileURLToPath(new URL('../../apps/server/bin/yardarm.js', import.meta.url));
const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));
/**
 * The version whose fixture is written: `UPGRADE_FIXTURE=0.9.0 npx vitest run tests/upgrade`. Without it, fixtures are
 * tested.
 */
const made = process.env.UPGRADE_FIXTURE;
const settings = {
  initAdminTokens: ['*:*.of-the-upgrade-test'],
  publicUrl: 'https://flags.example.com',
  signalEndpointsLimit: 100,
};
const storages: TestStorage[] = [];

afterEach(async () => {
  for (const storage of storages.splice(0)) await storage.remove();
});

function fresh(): TestStorage {
  const storage = createStorage();
  storages.push(storage);
  return storage;
}

/** Returns a clock that starts at the time of the fixture, so that nothing in it is old enough to be deleted. */
function clockAt(time: number): TestClock {
  const clock = new TestClock();
  clock.set(time - clock.now());
  return clock;
}

async function run(command: 'backup' | 'restore', file: string, { settings }: TestStorage): Promise<void> {
  const { dataDir = '', databaseUrl = '', databaseSchema = 'public' } = settings;
  const env = { ...process.env, YARDARM_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DATABASE_SCHEMA: databaseSchema };
  await promisify(execFile)(process.execPath, [program, command, file], { env });
}

if (made === undefined) {
  describe.each(readdirSync(fixtures))('a database of version %s', (version) => {
    it('is restored from its backup and migrated, and answers what it answered before', async () => {
      const storage = fresh();
      await run('restore', join(fixtures, version, 'backup'), storage);
      const before = JSON.parse(readFileSync(join(fixtures, version, 'contents.json'), 'utf8'));
      const server = await startServer(storage, settings, clockAt(before.at));
      try {
        // Later versions may add fields.
        expect(await contentsOf(server, before)).toMatchObject(before.contents);
      } finally {
        await server.stop();
      }
    }, 60_000);
  });
} else {
  it(`writes the fixture of version ${made}`, async () => {
    const storage = fresh();
    const server = await startServer(storage, settings);
    const sdkToken = await givenRichInstance(server);
    const [at, lastEvent] = [server.clock.now(), await lastEventOf(server)];
    await server.stop();
    const directory = join(fixtures, made);
    mkdirSync(directory);
    await run('backup', join(directory, 'backup'), storage);
    const again = await startServer(storage, settings, clockAt(at));
    const contents = await contentsOf(again, { lastEvent, sdkToken });
    writeFileSync(
      join(directory, 'contents.json'),
      `${JSON.stringify({ at, lastEvent, sdkToken, contents }, undefined, 1)}\n`,
    );
    await again.stop();
  }, 60_000);
}
