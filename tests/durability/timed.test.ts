import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { engines, useFixtures } from './fixtures.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { loadSettings, newAdminToken } from './target.ts';
import { expectDoneOnce, givenTimed, stillToCome } from './timed.ts';
import { until } from './until.ts';

const { storage, onCleanUp } = useFixtures();

describe.each(engines)('scheduled work on %s', (engine) => {
  it('is done once, whenever the server is killed: scheduled requests and expiring holds', async () => {
    const place = await storage(engine);
    const adminToken = newAdminToken();
    const settings = { ...place.settings, ...loadSettings(adminToken) };
    let server: ServerProcess = await startServer(settings);
    onCleanUp(() => server.end('SIGKILL'));
    const timed = await givenTimed(server.origin, adminToken, { count: 30, fromMs: 1000, stepMs: 200 });
    let kills = 0;
    while ((await stillToCome(server.origin, adminToken)) > 0) {
      await pause(randomInt(800));
      await server.end('SIGKILL');
      kills++;
      server = await startServer(settings);
      // After 8 kills, waits for all work. Work that became due between kills is done at the start of a server.
      if (kills >= 8)
        await until('everything to be done', 15_000, async () => {
          return (await stillToCome(server.origin, adminToken)) === 0;
        });
    }
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await place.read((query) => expectDoneOnce(query, timed));
    expect(kills).toBeGreaterThan(0);
    console.log(`kill -9 around what is timed (${engine}):`, JSON.stringify({ kills }));
  }, 90_000);
});
