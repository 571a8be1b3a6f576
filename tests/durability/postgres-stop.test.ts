import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useFixtures } from './fixtures.ts';
import { call } from './http-call.ts';
import { isNotified, propagationMs } from './propagation.ts';
import { startServer } from './server-process.ts';
import { until } from './until.ts';

const rounds = 5;
/** The longest time until an answer while the database is away. */
const longestAnswerMs = 6000;
/** A group of changes waits 5 s for a connection. Changes that arrive meanwhile wait for the group, and 5 s more. */
const longestSilenceMs = 12_000;

const { begin, cluster, onCleanUp, storage } = useFixtures();

it('a server whose PostgreSQL restarts answers 503 meanwhile and recovers by itself', async () => {
  const postgres = await cluster();
  const scene = await begin(await storage('postgres'));
  const { origin, adminToken: token } = scene.target;
  const other = await startServer(scene.settings);
  onCleanUp(() => other.end('SIGKILL'));
  const healedAfterMs: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    scene.startLoad();
    await scene.accepts(50, 10);
    await postgres.crash();
    await scene.refuses(20, 5);
    expect(await call(origin, { method: 'GET', path: '/health' })).toMatchObject({ status: 200 });
    const requests = [
      { path: '/ready' },
      { path: '/api/admin/signals', token },
      // The server has not cached this token, so it must not answer 401: an SDK that gets 401 stops polling.
      { path: '/api/client/features', token: '*:development.not-in-memory' },
      { path: '/api/frontend', token: '*:development.not-in-memory' },
    ];
    for (const request of requests) {
      const answer = await call(origin, { method: 'GET', ...request });
      expect(answer).toMatchObject({ status: 503, body: { name: 'ServiceUnavailableError' } });
      expect(answer.headers?.get('retry-after')).toMatch(/^\d+$/);
    }
    await pause(randomInt(1500));
    await postgres.resume();
    healedAfterMs.push(await scene.accepts());
    await until('/ready to answer 200', 5000, async () => {
      return (await call(origin, { method: 'GET', path: '/ready' })).status === 200;
    });
    await scene.expectReads();
    await scene.stopLoad();
  }
  // Both servers listen for notifications again, so that each learns of the other's changes.
  for (const [from, to] of [
    [origin, other.origin],
    [other.origin, origin],
  ] as const)
    await until('notifications to arrive', 20_000, async () =>
      isNotified(await propagationMs(from, to, token, scene.ledger, 5)),
    );
  expect(await other.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const { storedThoughRefused } = await scene.finish();
  expect(scene.ledger.slowestMs).toBeLessThan(longestAnswerMs);
  scene.report('PostgreSQL stopped', { rounds, healedAfterMs, storedThoughRefused });
});

it('a server whose PostgreSQL stops answering responds 503 after its time-out and recovers afterwards', async () => {
  const postgres = await cluster();
  const { settings, ...there } = await storage('postgres');
  const patience = '?query_timeout=1500';
  const scene = await begin({
    ...there,
    settings: { ...settings, DATABASE_URL: `${settings.DATABASE_URL}${patience}` },
  });
  scene.startLoad();
  await scene.accepts(50, 10);
  postgres.freeze();
  onCleanUp(() => postgres.thaw());
  await scene.refuses(10, 2);
  expect(await call(scene.target.origin, { method: 'GET', path: '/ready' })).toMatchObject({ status: 503 });
  postgres.thaw();
  const healedAfterMs = await scene.accepts(50, 10);
  await scene.expectReads();
  const { storedThoughRefused } = await scene.finish();
  expect(scene.ledger.slowestMs).toBeLessThan(longestSilenceMs);
  scene.report('PostgreSQL silent', { healedAfterMs, storedThoughRefused });
});
