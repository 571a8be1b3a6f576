import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { audit } from './audit.ts';
import { engines, useFixtures } from './fixtures.ts';
import { Ledger } from './ledger.ts';
import { sendRepeats } from './load.ts';
import { spawnServer, startServer } from './server-process.ts';
import { loadSettings, newAdminToken } from './target.ts';

const rounds = 20;
/** The longest time from the first answers to the kill of the server; the time is random. */
const longestLoadMs = 900;
/**
 * The longest start. A server waits while another process uses its directory; a killed process must not count as one.
 */
const startLimitMs = 10_000;

const { begin, storage } = useFixtures();

describe.each(engines)('a server on %s that is killed', (engine) => {
  it(`loses nothing it acknowledged in ${rounds} rounds under load`, async () => {
    const scene = await begin(await storage(engine));
    const startsMs: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      scene.startLoad();
      await scene.accepts(20);
      await pause(randomInt(longestLoadMs));
      await scene.kill();
      await scene.audit();
      startsMs.push(await scene.restart());
      await sendRepeats(scene.target, scene.ledger);
    }
    await scene.finish();
    expect(Math.max(...startsMs)).toBeLessThan(startLimitMs);
    scene.report('kill -9', { rounds, startsMs });
  });

  it('starts after a kill during its first start', async () => {
    const empty = await storage(engine);
    const settings = { ...empty.settings, ...loadSettings(newAdminToken()) };
    for (let attempt = 1; attempt <= 6; attempt++) {
      const { child, ended } = spawnServer(settings);
      await pause(randomInt(100, 900));
      child.kill('SIGKILL');
      await ended;
    }
    const server = await startServer(settings);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(server.readyAfterMs).toBeLessThan(startLimitMs);
    expect((await audit(empty, new Ledger())).broken).toEqual([]);
  });
});
