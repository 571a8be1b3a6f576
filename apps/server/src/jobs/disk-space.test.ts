import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { environmentOf, runProgram } from '#testing/program.ts';
import {
  createEmptyStorage,
  createStorage,
  engine,
  startServer,
  type TestServer,
  type TestStorage,
} from '#testing/server.ts';
import { givenEndpoint } from '#testing/signals.ts';

const dayMs = 24 * 60 * 60 * 1000;
const settings = { signalRetentionDays: 90, initAdminTokens: ['*:*.the-same-again'], signalEndpointsLimit: 10 };

/** Sends signals of 90 kB and advances the clock beyond their retention. */
async function sendAndForget(server: TestServer, count: number): Promise<void> {
  const endpoint = await givenEndpoint(server);
  const client = server.client(endpoint.token);
  const body = { text: 'x'.repeat(90_000) };
  for (let sent = 0; sent < count; sent += 20)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        client.call('POST /api/signal-endpoint/:name', { params: { name: endpoint.name }, body }),
      ),
    );
  server.clock.advance(91 * dayMs);
  await server.app.service.jobs.runDue();
}

describe('the disk space of rows deleted by retention', () => {
  it.runIf(engine === 'sqlite')('is given back while the server runs, in steps, and changes go on', async () => {
    // New, so that no loop is due that gives the space back before it is measured.
    const storage = createEmptyStorage();
    const server = await startServer(storage, settings);
    const size = () => statSync(join(storage.settings.dataDir as string, 'yardarm.db')).size;
    await sendAndForget(server, 160);
    const full = size();
    expect(full).toBeGreaterThan(12e6);
    const reclaiming = server.app.service.diskSpace.run();
    const endpoint = await givenEndpoint(server);
    expect(endpoint.name).toBeDefined();
    expect(await reclaiming).toBeGreaterThan(2);
    expect(size()).toBeLessThan(full / 2);
    await server.stop();
    await storage.remove();
  });

  it.runIf(engine === 'postgres')('is left to PostgreSQL, whose autovacuum lets it be used again', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, settings);
    await sendAndForget(server, 20);
    expect(await server.app.service.diskSpace.run()).toBe(1);
    await server.stop();
    await storage.remove();
  });
});

describe('the command vacuum', () => {
  const vacuum = async (storage: TestStorage) => {
    const { code, stdout, stderr } = await runProgram(['vacuum'], environmentOf(storage));
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };

  it.runIf(engine === 'sqlite')(
    'makes a file smaller that cannot give back pages, and able to',
    async () => {
      const storage = createEmptyStorage();
      const { dataDir = '' } = storage.settings;
      const path = join(dataDir, 'yardarm.db');
      // The state of a database from before incremental vacuum was used.
      const old = new DatabaseSync(path);
      old.exec('pragma journal_mode = wal');
      old.close();
      const server = await startServer(storage, settings);
      await sendAndForget(server, 60);
      expect(await server.app.service.diskSpace.run()).toBe(1);
      await expect(vacuum(storage)).rejects.toThrow('is in use by');
      await server.stop();
      const full = statSync(path).size;
      expect(full).toBeGreaterThan(5e6);
      expect(await vacuum(storage)).toMatch(/^The database took [\d.]+ MB and now takes [\d.]+ MB\.\n$/);
      expect(statSync(path).size).toBeLessThan(full / 2);
      expect(readdirSync(dataDir).toSorted()).toEqual(['yardarm.db', 'yardarm.lock']);
      const after = await startServer(storage, settings, server.clock);
      expect((await after.admin.call('GET /api/admin/signal-endpoints')).json.signalEndpoints).toHaveLength(1);
      await sendAndForget(after, 60);
      expect(await after.app.service.diskSpace.run()).toBeGreaterThan(1);
      await after.stop();
      await storage.remove();
    },
    60_000,
  );

  it.runIf(engine === 'postgres')('vacuums the tables while a server uses them', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, settings);
    expect(await vacuum(storage)).toMatch(/^Vacuumed [1-9]\d+ tables\. /);
    await server.stop();
    await storage.remove();
  });

  it('fails with a message when there is no database', async () => {
    const settings = { dataDir: tmpdir(), databaseUrl: undefined };
    await expect(vacuum({ engine: 'sqlite', settings, remove: async () => undefined })).rejects.toThrow(
      `The directory ${tmpdir()} holds no database.`,
    );
  });
});
