import { Agent, request } from 'node:http';
import { expect, it } from 'vitest';
import { Balancer } from './balancer.ts';
import { useFixtures } from './fixtures.ts';
import { call } from './http-call.ts';
import { startServer } from './server-process.ts';
import type { Target } from './target.ts';
import { until } from './until.ts';

const clients = 20;
const restarts = 4;

const { begin, onCleanUp, storage } = useFixtures();

/** Numbers of requests on kept-alive connections by result: a status, or why there was no answer. */
type Counts = Map<number | string, number>;

/** Sends one request on a kept-alive connection and counts its status, or the error that its sender gets. */
function send(agent: Agent, origin: string, target: Target, counts: Counts): Promise<void> {
  const body = '{"rolling":"restart"}';
  return new Promise((resolve) => {
    const count = (what: number | string) => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      resolve();
    };
    const sent = request(
      `${origin}/api/signal-endpoint/${target.endpoint}`,
      {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${target.signalToken}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => count(response.statusCode ?? 0));
      },
    );
    sent.once('error', (error: NodeJS.ErrnoException) => count(error.code ?? error.message));
    sent.end(body);
  });
}

it('two servers on PostgreSQL that are restarted in turn answer every request', async () => {
  const grace = { YARDARM_SHUTDOWN_DELAY: '1500' };
  const scene = await begin(await storage('postgres'), grace);
  let servers = [scene.server, await startServer(scene.settings)];
  onCleanUp(() => Promise.all(servers.map((server) => server.end('SIGKILL'))));
  const balancer = await Balancer.start(servers.map(({ origin }) => origin));
  onCleanUp(() => balancer.stop());
  const agent = new Agent({ keepAlive: true });
  onCleanUp(() => agent.destroy());
  const counts: Counts = new Map();
  let over = false;
  const sending = Array.from({ length: clients }, async () => {
    while (!over) await send(agent, balancer.origin, scene.target, counts);
  });
  const answered = () => counts.get(200) ?? 0;
  for (let restart = 0; restart < restarts; restart++) {
    const before = answered();
    await until('200 more answers', 20_000, () => answered() > before + 200);
    const [old, other] = servers as [(typeof servers)[0], (typeof servers)[0]];
    const fresh = await startServer(scene.settings);
    balancer.add(fresh.origin);
    servers = [other, fresh];
    expect(await old.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }
  over = true;
  await Promise.all(sending);
  console.log('rolling restart:', JSON.stringify({ restarts, answers: Object.fromEntries(counts) }));
  expect([...counts.keys()]).toEqual([200]);
  expect(await call(balancer.origin, { method: 'GET', path: '/ready' })).toMatchObject({ status: 200 });
});
