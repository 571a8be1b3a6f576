import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Acting, expectHandledOnce, givenActing, sendState, untilHandled } from './acting.ts';
import { engines, useFixtures } from './fixtures.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { loadSettings, newAdminToken } from './target.ts';

/** It is killed again and again for so long, and so often at least: a slow machine takes seconds to start a server. */
const budgetMs = 10_000;
const fewestRounds = 3;
const senders = 4;
/** The load runs that long before the server is killed, at most. */
const longestLoadMs = 500;

const { storage, onCleanUp } = useFixtures();

/** Sends signals until it is stopped; answers the ids of those that were acknowledged. */
function load(origin: string, acting: Acting): () => Promise<number[]> {
  let stopped = false;
  const line = async (n: number): Promise<number[]> => {
    const acknowledged: number[] = [];
    for (let sent = n; !stopped; sent++) {
      const answer = await sendState(origin, acting, sent % 2 === 0 ? 'on' : 'off');
      if (answer.status === 200) acknowledged.push((answer.body as { signals: { id: number }[] }).signals[0]?.id ?? 0);
      else await pause(10);
    }
    return acknowledged;
  };
  const lines = Array.from({ length: senders }, (_, n) => line(n));
  return async () => {
    stopped = true;
    return (await Promise.all(lines)).flat();
  };
}

describe.each(engines)('signals that set actions off, on %s', (engine) => {
  it('are each handled exactly once, in their order, wherever the server is killed', async () => {
    const place = await storage(engine);
    const adminToken = newAdminToken();
    const settings = { ...place.settings, ...loadSettings(adminToken) };
    const acknowledged: number[] = [];
    let server: ServerProcess = await startServer(settings);
    onCleanUp(() => server.end('SIGKILL'));
    const acting = await givenActing(server.origin, adminToken);
    const begun = performance.now();
    let rounds = 0;
    while (rounds < fewestRounds || performance.now() - begun < budgetMs) {
      rounds++;
      const stop = load(server.origin, acting);
      await pause(50 + randomInt(longestLoadMs));
      await server.end('SIGKILL');
      acknowledged.push(...(await stop()));
      server = await startServer(settings);
    }
    await untilHandled(server.origin, acting, 10_000);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const handled = await place.read((query) => expectHandledOnce(query, acting, acknowledged));
    expect(handled).toBeGreaterThan(rounds);
    console.log(`kill -9 with actions (${engine}):`, JSON.stringify({ rounds, handled }));
  }, 90_000);
});
