import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { engines, useFixtures } from './fixtures.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { expectSilencesOnce, fastMinutes, givenExpecting, hear, holdsSoFar, releasesSoFar } from './silences.ts';
import { loadSettings, newAdminToken } from './target.ts';
import { until } from './until.ts';

const count = 12;
/** The milliseconds that the server takes for a minute, so that endpoints fall silent after two seconds. */
const minuteMs = 2000;
/** A round is one silence of each endpoint, with three kills. No round begins that would end after this time. */
const longestMs = 34_000;
const maxRounds = 4;

const { storage, onCleanUp } = useFixtures();

describe.each(engines)('endpoints that expect signals on %s', (engine) => {
  it('fall silent and are heard once, and their sets run once for each, whenever the server is killed', async () => {
    const begun = performance.now();
    const place = await storage(engine);
    const adminToken = newAdminToken();
    const settings = {
      ...{ ...place.settings, ...loadSettings(adminToken), ...fastMinutes(minuteMs) },
      UNLEASH_ACTION_SETS_PER_PROJECT_LIMIT: String(count),
    };
    let server: ServerProcess = await startServer(settings);
    onCleanUp(() => server.end('SIGKILL'));
    const kills: string[] = [];
    const kill = async (moment: string) => {
      await server.end('SIGKILL');
      kills.push(moment);
      server = await startServer(settings);
    };
    const untilReached = (soFar: typeof holdsSoFar, total: number) =>
      until(`${total} in all`, 15_000, async () => (await soFar(server.origin, adminToken)) >= total, 1);
    const all = await givenExpecting(server.origin, adminToken, count);
    let [rounds, roundMs] = [0, 0];
    while (rounds < maxRounds && performance.now() - begun + roundMs < longestMs) {
      const roundBegan = performance.now();
      const before = rounds * count;
      const restMs = randomInt(minuteMs * 1.5);
      await pause(restMs);
      await kill(`${restMs} ms after signals`);
      const held = randomInt(count);
      await untilReached(holdsSoFar, before + held);
      await kill(`${held} holds`);
      await untilReached(holdsSoFar, before + count);
      await hear(server.origin, all);
      const released = randomInt(count);
      await untilReached(releasesSoFar, before + released);
      await kill(`${released} releases`);
      await untilReached(releasesSoFar, before + count);
      rounds++;
      roundMs = performance.now() - roundBegan;
    }
    // Each endpoint falls silent once more, two seconds after it was heard or the server started. On a busy machine
    // some do before the last release. When all have, nothing else happens until the server stops.
    await untilReached(holdsSoFar, (rounds + 1) * count);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await place.read((query) => expectSilencesOnce(query, engine, all, rounds));
    expect(rounds).toBeGreaterThan(0);
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`kill -9 around silences (${engine}):`, JSON.stringify({ count, rounds, seconds, kills }));
  });
});
