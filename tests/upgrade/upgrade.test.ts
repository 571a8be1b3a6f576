import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { migrations } from '../../apps/server/src/storage/migrations/migrations.ts';
import { TestClock } from '../../apps/server/testing/clock.ts';
import { environmentOf, runProgram } from '../../apps/server/testing/program.ts';
import { createEmptyStorage, engine, startServer, type TestStorage } from '../../apps/server/testing/server.ts';
import { loadDatabase, migrationsOf, saveDatabase } from './database-fixture.ts';
import { contentsOf, givenRichInstance, lastEventOf } from './rich.ts';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));
/**
 * The version whose fixture is written; without it, fixtures are tested. A release writes its fixture in two runs:
 *
 *     UPGRADE_FIXTURE=0.9.0 npx vitest run tests/upgrade/upgrade.test.ts
 *     DATABASE_URL=postgres://… UPGRADE_FIXTURE=0.9.0 npx vitest run tests/upgrade/upgrade.test.ts
 *
 * The second run needs `pg_dump` in PATH. It restores the backup of the first run, because both databases are compared
 * with the same `contents.json`. Use the oldest supported PostgreSQL: a dump of a newer one may not load into it.
 *
 * The databases of 0.1.0 and 0.9.0 were written later, from their backups. The code of 0.9.0 restored its backup and
 * started on it. The history lacks the commit that wrote the backup of 0.1.0: commit 5fc2f2db ran the migrations that
 * the backup lists, and restored it.
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
  const storage = createEmptyStorage();
  storages.push(storage);
  return storage;
}

/** Returns a clock that starts at the time of the fixture, so that nothing in it is old enough to be deleted. */
function clockAt(time: number): TestClock {
  const clock = new TestClock();
  clock.set(time - clock.now());
  return clock;
}

async function run(command: 'backup' | 'restore', file: string, storage: TestStorage): Promise<void> {
  const { code, stderr } = await runProgram([command, file], environmentOf(storage));
  if (code !== 0) throw new Error(`${command} failed: ${stderr}`);
}

/** Compares what a server on the storage answers with what the version of the fixture answered. */
async function compareContents(storage: TestStorage, fixture: string): Promise<void> {
  const before = JSON.parse(readFileSync(join(fixture, 'contents.json'), 'utf8'));
  const server = await startServer(storage, settings, clockAt(before.at));
  try {
    // Later versions may add fields, and say more in the sentences of events, which name the server Yardarm.
    const events = before.contents.events.map((event: { summary: string }) => ({
      ...event,
      summary: expect.stringContaining(event.summary.replace('**unleash_system_user**', '**Yardarm**')),
    }));
    expect(await contentsOf(server, before)).toMatchObject({ ...before.contents, events });
  } finally {
    await server.stop();
  }
}

/** Returns the migrations that the version of a fixture had: its backup lists them in the first line. */
function migrationsOfFixture(fixture: string): readonly string[] {
  const [head = ''] = gunzipSync(readFileSync(join(fixture, 'backup')))
    .toString('utf8')
    .split('\n', 1);
  return JSON.parse(head).migrations;
}

/** Writes a fixture: a database that the server filled, its backup, and what the server answers. */
async function writeFixture(storage: TestStorage, fixture: string): Promise<void> {
  const server = await startServer(storage, settings);
  const sdkToken = await givenRichInstance(server);
  const [at, lastEvent] = [server.clock.now(), await lastEventOf(server)];
  await server.stop();
  mkdirSync(fixture);
  await saveDatabase(storage, fixture);
  await run('backup', join(fixture, 'backup'), storage);
  const again = await startServer(storage, settings, clockAt(at));
  const contents = await contentsOf(again, { lastEvent, sdkToken });
  await again.stop();
  const text = JSON.stringify({ at, lastEvent, sdkToken, contents }, undefined, 1);
  writeFileSync(join(fixture, 'contents.json'), `${text}\n`);
}

/** Adds the database of this engine to a fixture that was written on the other engine. */
async function addDatabase(storage: TestStorage, fixture: string): Promise<void> {
  await run('restore', join(fixture, 'backup'), storage);
  const { at } = JSON.parse(readFileSync(join(fixture, 'contents.json'), 'utf8'));
  // A start writes rows that a restored database lacks.
  const server = await startServer(storage, settings, clockAt(at));
  await server.stop();
  await saveDatabase(storage, fixture);
}

if (made === undefined) {
  describe.each(readdirSync(fixtures))('a database of version %s', (version) => {
    const fixture = join(fixtures, version);

    it('is opened and migrated in place, and answers what it answered before', async () => {
      const storage = fresh();
      await loadDatabase(storage, fixture);
      expect(await migrationsOf(storage)).toEqual(migrationsOfFixture(fixture));
      await compareContents(storage, fixture);
      expect(await migrationsOf(storage)).toEqual(Object.keys(migrations));
    }, 60_000);

    it('is restored from its backup and migrated, and answers what it answered before', async () => {
      const storage = fresh();
      await run('restore', join(fixture, 'backup'), storage);
      await compareContents(storage, fixture);
    }, 60_000);
  });
} else {
  it(`writes the fixture of version ${made} for ${engine}`, async () => {
    const fixture = join(fixtures, made);
    const write = existsSync(fixture) ? addDatabase : writeFixture;
    await write(fresh(), fixture);
  }, 60_000);
}
