import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { engines, useFixtures } from './fixtures.ts';
import {
  expectStartedOnce,
  givenPlannedFlags,
  moveNextMilestones,
  startedMilestones,
  startsByTime,
} from './release-plans.ts';
import { type ServerProcess, spawnServer, startServer } from './server-process.ts';
import { loadSettings, newAdminToken } from './target.ts';
import { until } from './until.ts';

const count = 24;
/** How often a server is killed after it became ready, while the milestones of one step start. */
const killsPerStep = 3;
/**
 * When the first milestone is due, relative to now. A third of the milestones is due before the server starts, the last
 * one 1.6 s after it was stopped.
 */
const dueFromMs = -800;
const dueEachMs = 100;

const { storage, onCleanUp } = useFixtures();

describe.each(engines)('release plans on %s', (engine) => {
  it('start each milestone once and lose none, whenever the server is killed', async () => {
    const place = await storage(engine);
    const adminToken = newAdminToken();
    const settings = { ...place.settings, ...loadSettings(adminToken) };
    let server: ServerProcess = await startServer(settings);
    onCleanUp(() => server.end('SIGKILL'));
    const untilStarted = (total: number) =>
      until(
        `${total} started milestones`,
        15_000,
        async () => (await startedMilestones(server.origin, adminToken)) >= total,
        1,
      );
    const killAtStart = async () => {
      const { child, output, ended } = spawnServer(settings);
      onCleanUp(() => child.kill('SIGKILL'));
      // Jobs that are due run before the server is ready.
      await until('the server to listen', 30_000, () => output().includes('serves on'), 1);
      child.kill('SIGKILL');
      await ended;
    };
    const expectSoFar = () => place.read((query) => expectStartedOnce(query, engine, flags));
    const flags = await givenPlannedFlags(server.origin, adminToken, count);
    const startedAtKills: number[] = [];
    for (let step = 1; step <= startsByTime; step++) {
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(await moveNextMilestones(place, Date.now() + dueFromMs, dueEachMs)).toBe(count);
      await killAtStart();
      startedAtKills.push((await expectSoFar()) - step * count);
      for (let kill = 1; kill <= killsPerStep; kill++) {
        server = await startServer(settings);
        await untilStarted(step * count + randomInt(count));
        await server.end('SIGKILL');
        startedAtKills.push((await expectSoFar()) - step * count);
      }
      server = await startServer(settings);
      await untilStarted((step + 1) * count);
    }
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await expectSoFar()).toBe((startsByTime + 1) * count);
    console.log(`kill -9 around the starts of milestones (${engine}):`, JSON.stringify({ count, startedAtKills }));
  }, 300_000);
});
