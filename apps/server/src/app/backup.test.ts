import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { typesOfEventClass } from '@yardarm/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load.ts';
import { givenContextField } from '#testing/context-fields.ts';
import { addStrategy, givenFlag, givenFlagIn } from '#testing/flags.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { asNewUser, givenUser } from '#testing/people.ts';
import { environmentOf, program, runProgram } from '#testing/program.ts';
import { givenSegment } from '#testing/segments.ts';
import { createEmptyStorage, engine, startServer, type TestServer, type TestStorage } from '#testing/server.ts';
import { givenEndpoint, received, send, type TestEndpoint } from '#testing/signals.ts';
import { givenToken } from '#testing/tokens.ts';
import { backUpTo, restoreFrom, verifyBackup } from './backup.ts';

const settings = { initAdminTokens: ['*:*.the-same-again'] };

/** Runs the program on a storage; returns its exit code and everything that it printed. */
async function run(command: string, file: string, storage: Pick<TestStorage, 'settings'>) {
  const { code, stdout, stderr } = await runProgram([command, file], environmentOf(storage));
  return { code, text: stdout + stderr };
}

const configOf = ({ settings: own }: Pick<TestStorage, 'settings'>) => ({ ...loadConfig({}), ...own });

/** Writes a backup of a storage in this process; returns the number of rows. */
const writeBackup = (file: string, storage: Pick<TestStorage, 'settings'>) =>
  backUpTo(configOf(storage), file, (error) => {
    throw error;
  });

/** Restores a backup in this process; returns the number of rows. */
const restoreBackup = (file: string, storage: Pick<TestStorage, 'settings'>) =>
  restoreFrom(configOf(storage), file, (error) => {
    throw error;
  });

const withoutEpoch = (text: string) => text.replace(/:v1:[0-9a-f]+/, ':v1');

/** Reads the contents of a server through its API. */
async function contentsOf(server: TestServer, endpoint: TestEndpoint, sdkToken: string) {
  const list = async (path: string) => (await server.admin.request('GET', path)).text;
  const sdk = await server.client(sdkToken).call('GET /api/client/features');
  return {
    events: await list(`/api/admin/search/events?limit=1000&type=IS_ANY_OF:${typesOfEventClass.changes.join(',')}`),
    flags: await list('/api/admin/projects/default/features'),
    segments: await list('/api/admin/segments'),
    contextFields: await list('/api/admin/context'),
    users: (await list('/api/admin/user-admin')).replaceAll(/"seenAt":"[^"]*"/g, '"seenAt":null'),
    signals: (await received(server, endpoint)).text,
    // A restore begins a new epoch of the event log, which ETags hold.
    features: withoutEpoch(sdk.text),
    etag: withoutEpoch(sdk.headers.get('etag') ?? ''),
  };
}

describe('a backup', () => {
  let directory: string;
  let first: TestStorage;
  let server: TestServer;
  let endpoint: TestEndpoint;
  let sdkToken: string;
  let before: Awaited<ReturnType<typeof contentsOf>>;
  let file: string;
  const storages: TestStorage[] = [];
  const fresh = () => {
    const storage = createEmptyStorage();
    storages.push(storage);
    return storage;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'yardarm-backup-'));
    file = join(directory, 'monday.backup');
    first = createEmptyStorage();
    server = await startServer(first, settings);
    endpoint = await givenEndpoint(server);
    for (const payload of ['{"n":12345678901234567890,"text":"\\u0000 ünïcödé 🏴"}', '{}', '[1,2]']) {
      await send(server, endpoint, payload);
    }
    await givenContextField(server, { legalValues: [{ value: "o'hara" }] });
    const { id: segment } = await givenSegment(server);
    await addStrategy(server, await givenFlagIn(server, 'development'), {
      name: 'default',
      segments: [segment],
      constraints: [{ contextName: 'userId', operator: 'IN', values: ["o'hara", '\\"'] }],
    });
    await asNewUser(server);
    sdkToken = (await givenToken(server, { environment: 'development' })).secret;
    before = await contentsOf(server, endpoint, sdkToken);
    expect(await run('backup', file, first)).toEqual({ code: 0, text: expect.stringMatching(/^Wrote \d+ rows to /) });
    await givenFlag(server);
  });
  afterEach(async () => {
    for (const storage of storages.splice(0)) await storage.remove();
  });
  afterAll(async () => {
    await server.stop();
    await first.remove();
    await rm(directory, { recursive: true });
  });

  it('is made while the server runs, contains all data, and can be read by its owner only', async () => {
    const storage = fresh();
    expect(await run('restore', file, storage)).toEqual({ code: 0, text: expect.stringContaining('Restored') });
    const restored = await startServer(storage, settings);
    try {
      expect(await contentsOf(restored, endpoint, sdkToken)).toEqual(before);
    } finally {
      await restored.stop();
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('with the line and paragraph separators of Unicode in a text is restored', async () => {
    const separated = fresh();
    const used = await startServer(separated, settings);
    const description = 'line\u2028paragraph\u2029return\rnext\u0085end';
    const { id } = await givenSegment(used, { description });
    await used.stop();
    const target = join(directory, 'separators.backup');
    const rows = await writeBackup(target, separated);
    const storage = fresh();
    expect(await restoreBackup(target, storage)).toBe(rows);
    const restored = await startServer(storage, settings);
    try {
      const { json } = await restored.admin.call('GET /api/admin/segments/:id', { params: { id } });
      expect(json.description).toBe(description);
    } finally {
      await restored.stop();
    }
  });

  it('is recorded by the server, and so is a restore', async () => {
    const recorded = async (at: TestServer) => {
      await at.app.service.jobs.runDue();
      const query = { type: 'IS_ANY_OF:backup-made,database-restored' };
      const { json } = await at.admin.call('GET /api/admin/search/events', { query });
      return json.events;
    };
    const data = { file: 'monday.backup', rows: expect.any(Number), user: expect.any(String), at: expect.any(String) };
    expect(await recorded(server)).toMatchObject([{ type: 'backup-made', createdByUserId: -1337, data }]);
    const storage = fresh();
    await run('restore', file, storage);
    const restored = await startServer(storage, settings);
    try {
      expect(await recorded(restored)).toMatchObject([{ type: 'database-restored', data }]);
    } finally {
      await restored.stop();
    }
  });

  it('goes on with its numbers where it was', async () => {
    const storage = fresh();
    await run('restore', file, storage);
    const restored = await startServer(storage, settings);
    try {
      const { json } = await send(restored, endpoint, '{}');
      expect(json.signals[0].id).toBe(4);
      await givenEndpoint(restored);
      await givenFlag(restored);
      const ids = (
        await restored.admin.call('GET /api/admin/search/events', { query: { limit: '1000' } })
      ).json.events.map(({ id }: { id: number }) => id);
      expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => ids.length - index));
    } finally {
      await restored.stop();
    }
  });

  it('does not give new objects the ids of deleted ones', async () => {
    const used = fresh();
    const old = await startServer(used, settings);
    const { id } = await givenUser(old);
    await old.admin.call('DELETE /api/admin/user-admin/:id', { params: { id } });
    await old.stop();
    const target = join(directory, 'deleted.backup');
    await writeBackup(target, used);
    const storage = fresh();
    await restoreBackup(target, storage);
    const again = join(directory, 'deleted-again.backup');
    await writeBackup(again, storage);
    const last = fresh();
    await restoreBackup(again, last);
    const restored = await startServer(last, settings);
    try {
      expect((await givenUser(restored)).id).toBe(id + 1);
    } finally {
      await restored.stop();
    }
  });

  it.runIf(engine === 'postgres')('moves from one engine to the other and back', async () => {
    const dataDir = join(directory, 'sqlite');
    const embedded = { settings: { dataDir } };
    expect((await run('restore', file, embedded)).code).toBe(0);
    const there = await startServer(
      { engine: 'sqlite', settings: { dataDir, databaseUrl: undefined }, remove: async () => undefined },
      settings,
    );
    expect(await contentsOf(there, endpoint, sdkToken)).toEqual(before);
    await there.stop();
    const again = join(directory, 'again.backup');
    expect((await run('backup', again, embedded)).code).toBe(0);
    const storage = fresh();
    expect((await run('restore', again, storage)).code).toBe(0);
    const back = await startServer(storage, settings);
    expect(await contentsOf(back, endpoint, sdkToken)).toEqual(before);
    await back.stop();
  });

  it('is not made of a storage that holds no database', async () => {
    await expect(writeBackup(join(directory, 'of-nothing'), fresh())).rejects.toThrow(/ holds no database\.$/);
  });

  it('does not replace a file', async () => {
    const kept = await readFile(file);
    expect(await run('backup', file, first)).toEqual({ code: 1, text: expect.stringContaining('already exists') });
    expect(await readFile(file)).toEqual(kept);
    expect((await readdir(directory)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('is not restored into a database that is not empty', async () => {
    const storage = fresh();
    const used = await startServer(storage, settings);
    await used.stop();
    expect(await run('restore', file, storage)).toEqual({
      code: 1,
      text: expect.stringContaining('The database is not empty'),
    });
  });

  it('has the same rows after a restore', async () => {
    const storage = fresh();
    const rows = await restoreBackup(file, storage);
    const again = join(directory, 'again-the-same.backup');
    // The restore has added a job, which records its event.
    expect(await writeBackup(again, storage)).toBe(rows + 1);
    const linesOf = async (path: string) =>
      gunzipSync(await readFile(path))
        .toString()
        .trimEnd()
        .split('\n');
    const [before, after] = [await linesOf(file), await linesOf(again)];
    // The row of the event counter holds the epoch, which a restore renews.
    const isOfData = (line: string) => !/^\["event",|"format":|"rows":|"database-restored"|"table":"jobs"/.test(line);
    expect(after.filter(isOfData)).toEqual(before.filter(isOfData));
    expect(JSON.parse(`${before.at(-1)}`)).toEqual({ rows });
  });

  it('is not begun beside another one to the same file, and leaves no part of a file when it fails', async () => {
    const target = join(directory, 'second.backup');
    await writeFile(`${target}.partial`, '');
    await expect(writeBackup(target, first)).rejects.toThrow(/second\.backup\.partial already exists/);
    await rm(`${target}.partial`);
    await expect(writeBackup(file, first)).rejects.toThrow(/monday\.backup already exists/);
    await expect(writeBackup(join(directory, 'missing', 'file'), first)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await readdir(directory)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('goes through standard output and input, as from one container to another', async () => {
    const storage = fresh();
    const pipe = promisify(execFile)(
      'sh',
      ['-ec', `"$1" "$2" backup - | DATABASE_SCHEMA="$3" YARDARM_DATA_DIR="$4" "$1" "$2" restore -`, 'sh'].concat(
        process.execPath,
        program,
        storage.settings.databaseSchema ?? 'public',
        storage.settings.dataDir ?? '',
      ),
      { env: environmentOf(first) },
    );
    expect(await pipe).toEqual({
      stdout: expect.stringMatching(/^Restored \d+ rows from standard input\.\n$/),
      stderr: expect.stringMatching(/^Wrote \d+ rows\.\n$/),
    });
    const restored = await startServer(storage, settings);
    try {
      expect((await contentsOf(restored, endpoint, sdkToken)).signals).toEqual(before.signals);
    } finally {
      await restored.stop();
    }
  });

  it('is verified while the server runs, which leaves nothing in the data directory', async () => {
    const { dataDir = directory } = first.settings;
    const storage = { settings: { ...first.settings, dataDir } };
    const before = await readdir(dataDir);
    const { code, text } = await run('verify', file, storage);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/^The backup is complete and can be restored: \d+ rows\.\n$/),
    ]);
    const damaged = join(directory, 'half.backup');
    await writeFile(damaged, (await readFile(file)).subarray(0, 1000));
    expect(await run('verify', damaged, storage)).toEqual({ code: 1, text: expect.stringContaining('is damaged') });
    expect((await readdir(dataDir)).filter((name) => !before.includes(name) && name !== 'half.backup')).toEqual([]);
  });

  it('is not verified with another UNLEASH_SECRET than that of its secrets', async () => {
    const storage = fresh();
    const used = await startServer(storage, { ...settings, secret: 'the first long random text' });
    await givenIntegration(used);
    await used.stop();
    const target = join(directory, 'sealed.backup');
    const rows = await writeBackup(target, storage);
    const verify = (secret: string) =>
      verifyBackup({ ...loadConfig({}), dataDir: directory, secret }, target, (error) => {
        throw error;
      });
    expect(await verify('the first long random text')).toEqual({ rows, uneven: [] });
    await expect(verify('another long random text')).rejects.toThrow(/are encrypted with another UNLEASH_SECRET/);
  });

  it('that is cut off, changed or something else is refused, and nothing of it stays', async () => {
    const storage = fresh();
    const whole = await readFile(file);
    const text = gunzipSync(whole).toString();
    const damaged = join(directory, 'damaged');
    const lines = text.split('\n');
    const migrations = JSON.parse(lines[0] ?? '').migrations as string[];
    for (const bytes of [
      whole.subarray(0, whole.length / 2),
      Buffer.from('no backup'),
      gzipSync('no backup'),
      gzipSync('{}\n'),
      gzipSync('null\n'),
      gzipSync(''),
      gzipSync(lines.slice(0, -2).join('\n')),
      gzipSync(lines.toSpliced(2, 1).join('\n')),
      gzipSync(text.replace('{"table":"features"', '{"table":"sqlite_master"')),
      gzipSync(text.replace('"table":"features","columns":["name",', '"table":"features","columns":[')),
      gzipSync(text.replace('"table":"features","columns":["name",', '"table":"features","columns":["nome",')),
      gzipSync(text.replace('"table":"features","columns":["name",', '"table":"features","column":["name",')),
      gzipSync(text.replace('"yardarm-backup","version":1', '"yardarm-backup","version":2')),
      gzipSync(text.replace('"migrations":["0001', '"migrations":["0000')),
      gzipSync(text.replace(`"${migrations.at(-1)}"]`, '"9999-of-tomorrow"]')),
    ]) {
      await writeFile(damaged, bytes);
      await expect(restoreBackup(damaged, storage)).rejects.toThrow(/is not a backup|version of Yardarm/);
    }
    for (const bytes of [Buffer.concat([whole, whole]), gzipSync(`${text}${lines.at(-2)}\n`)]) {
      await writeFile(damaged, bytes);
      await expect(restoreBackup(damaged, storage)).rejects.toThrow('goes on after the end of its backup');
    }
    await expect(restoreBackup(join(directory, 'missing'), storage)).rejects.toThrow(
      /^The file .*missing does not exist\.$/,
    );
    expect(await restoreBackup(file, storage)).toBeGreaterThan(0);
    await expect(restoreBackup(file, storage)).rejects.toThrow(
      'The database is not empty. Restore into a new database.',
    );
  });
});
