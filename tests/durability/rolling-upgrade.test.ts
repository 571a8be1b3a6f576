import { expect, it } from 'vitest';
import { audit } from './audit.ts';
import { Balancer } from './balancer.ts';
import { useFixtures } from './fixtures.ts';
import { Load } from './load.ts';
import { additions, makeNextVersion } from './next-version.ts';
import { spawnServer, startServer } from './server-process.ts';
import { until } from './until.ts';

const { begin, onCleanUp, storage } = useFixtures();

it('two servers on PostgreSQL are replaced by a version that extends each table, without a failed request', async () => {
  const next = await makeNextVersion(additions);
  onCleanUp(() => next.remove());
  const scene = await begin(await storage('postgres'), { YARDARM_SHUTDOWN_DELAY: '1500' });
  const old = [scene.server, await startServer(scene.settings)];
  const servers = [...old];
  onCleanUp(() => Promise.all(servers.map((server) => server.end('SIGKILL'))));
  const balancer = await Balancer.start(old.map(({ origin }) => origin));
  onCleanUp(() => balancer.stop());
  const { ledger, target, settings } = scene;
  const load = new Load({ ...target, origin: balancer.origin }, ledger, { senders: 4, administrators: 3 });
  onCleanUp(() => load.stop());
  /** Waits until each statement of the load has been sent several times. */
  const busy = async () => {
    const { signals, changes } = ledger.acknowledged;
    await until('200 signals and 60 changes to be accepted', 30_000, () => {
      const now = ledger.acknowledged;
      return now.signals >= signals + 200 && now.changes >= changes + 60;
    });
  };

  await busy();
  for (const server of old) {
    const fresh = await startServer(settings, next.program);
    servers.push(fresh);
    balancer.add(fresh.origin);
    // The old version serves beside the new one, on tables that the new one has extended.
    await busy();
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }
  await busy();
  await load.stop();
  console.log('rolling upgrade:', JSON.stringify({ answers: ledger.answers, slowestMs: Math.round(ledger.slowestMs) }));
  expect(Object.keys(ledger.answers).filter((status) => !status.startsWith('2'))).toEqual([]);
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  expect((await audit(scene.storage, ledger)).broken).toEqual([]);

  const late = spawnServer(settings);
  expect(await late.ended).toMatchObject({ code: 1 });
  expect(late.output()).toContain(
    `migrated by a newer version of Yardarm: this version does not know ${next.migration}`,
  );
});
