import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { expectHandledOnce } from './acted.ts';
import { type Acting, anything, givenActing, releaseAll, say, untilHandled } from './acting.ts';
import { engines, useFixtures } from './fixtures.ts';
import { expectDelivered, givenIntegrated, untilDelivered } from './integrated.ts';
import { receiverSettings, startReceiver } from './receiver.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { loadSettings, newAdminToken } from './target.ts';

/** The number of kills on each engine. */
const kills = 25;
const senders = 4;
/** The longest time that the load runs before the server is killed; the time is random. */
const longestLoadMs = 400;

const { storage, onCleanUp } = useFixtures();

/** Sends signals until it is stopped; returns the ids of acknowledged signals. */
function load(origin: string, acting: Acting): () => Promise<number[]> {
  let stopped = false;
  const line = async (): Promise<number[]> => {
    const acknowledged: number[] = [];
    while (!stopped) {
      const answer = await say(origin, acting, anything());
      if (answer.status === 200) acknowledged.push((answer.body as { signals: { id: number }[] }).signals[0]?.id ?? 0);
      else await pause(10);
    }
    return acknowledged;
  };
  const lines = Array.from({ length: senders }, line);
  return async () => {
    stopped = true;
    return (await Promise.all(lines)).flat();
  };
}

describe.each(engines)('signals that run actions, on %s', (engine) => {
  it('are handled exactly once, in order, and leave no hold, whenever the server is killed', async () => {
    const place = await storage(engine);
    const adminToken = newAdminToken();
    const receiver = await startReceiver();
    onCleanUp(() => receiver.close());
    const settings = { ...place.settings, ...loadSettings(adminToken), ...receiverSettings };
    const acknowledged: number[] = [];
    let server: ServerProcess = await startServer(settings);
    onCleanUp(() => server.end('SIGKILL'));
    const acting = await givenActing(server.origin, adminToken, receiver.url);
    await givenIntegrated(server.origin, adminToken, receiver);
    for (let round = 0; round < kills; round++) {
      const stop = load(server.origin, acting);
      await pause(randomInt(longestLoadMs));
      await server.end('SIGKILL');
      acknowledged.push(...(await stop()));
      server = await startServer(settings);
    }
    // Calls in progress in the killed server are repeated after a while, because that server might still be sending.
    await untilHandled(server.origin, acting, 30_000);
    const { held, releasing } = await releaseAll(server.origin, acting);
    await untilDelivered(server.origin, adminToken, 60_000);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const calls = receiver.keys;
    const seen = { acknowledged, held, releasing, calls };
    const handled = await place.read((query) => expectHandledOnce(query, acting, seen));
    await place.read((query) => expectDelivered(query, receiver));
    expect(handled).toBeGreaterThan(kills);
    const figures = {
      kills,
      handled,
      held: held.length,
      called: new Set(calls).size,
      calls: calls.length,
      events: receiver.events.length,
    };
    console.log(`kill -9 with actions (${engine}):`, JSON.stringify(figures));
  }, 400_000);
});
