import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type RouteKey, type RouteSpec, type Routes, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { methodAndPath } from '../../apps/server/testing/client.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';

const count = 1400;

/** The GET routes that take no token. */
const publicRoutes = (Object.entries(routes) as [RouteKey, RouteSpec][])
  .filter(([key, { access }]) => access === 'public' && key.startsWith('GET '))
  .map(([key]) => key as keyof Routes);

/** Routes with long answers, by the token that they take. */
const tokenRoutes: readonly (readonly [keyof Routes, 'backend' | 'frontend' | 'editor'])[] = [
  ['GET /api/client/features', 'backend'],
  ['GET /api/client/delta', 'backend'],
  ['GET /api/frontend', 'frontend'],
  ['GET /api/admin/events', 'editor'],
  ['GET /api/admin/events/feed', 'editor'],
  ['GET /api/admin/signal-sources', 'editor'],
  ['GET /api/admin/state', 'editor'],
  ['GET /api/admin/projects/:projectId/features', 'editor'],
];

/** Returns how many requests of a route have been answered since the start. */
async function answered(server: TestServer, route: string): Promise<number> {
  const { text } = await server.anonymous.call('GET /metrics');
  const [method, path] = route.split(' ');
  const label = `method="${method}",route="${path}",`;
  return text
    .split('\n')
    .filter((line) => line.startsWith('http_request_duration_seconds_count{') && line.includes(label))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Returns the memory of texts and buffers that are in use, which grows with answers that are not read. Garbage that
 * was not collected yet does not count: in a thread that has run other files, it can stay for a long time.
 */
function used(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe(`${count} requests on one connection, whose client reads nothing`, () => {
  const server = useServer();

  const hold = async (route: keyof Routes, secret?: string) => {
    // The first answer is built, which takes longer.
    const [method, path] = methodAndPath(route, { params: { projectId: 'default', type: 'api-token-created' } });
    const first = await fetch(server().url + path, {
      headers: secret === undefined ? {} : { authorization: secret },
      redirect: 'manual',
    });
    await first.arrayBuffer();
    const before = { answered: await answered(server(), route), used: used() };
    const { hostname, port } = new URL(server().url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.pause();
    await once(socket, 'connect');
    const credentials = secret === undefined ? '' : `Authorization: ${secret}\r\n`;
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\n`.repeat(count));
    const begun = performance.now();
    expect((await server().anonymous.call('GET /health')).status).toBe(200);
    const waited = performance.now() - begun;
    const done = (await answered(server(), route)) - before.answered;
    const grown = used() - before.used;
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
    return { waited, done, grown };
  };

  const expectOthersToBeServed = ({ waited, done, grown }: Awaited<ReturnType<typeof hold>>) => {
    // A turn of the event loop for each answer; the two requests beside them take a few dozen turns.
    expect(done).toBeLessThan(count / 2);
    expect(grown).toBeLessThan(100 * 1024 * 1024);
    // Some 10 ms on an idle machine.
    expect(waited).toBeLessThan(5000);
  };

  it.each(publicRoutes)('of %s keep no other connection waiting', async (route) => {
    expectOthersToBeServed(await hold(route));
  });

  it.each(tokenRoutes)('of %s with the token of %s keep no other connection waiting', async (route, type) => {
    const secret = type === 'editor' ? await server().tokenOf('editor') : (await givenToken(server(), { type })).secret;
    expectOthersToBeServed(await hold(route, secret));
  });

  it('leave no memory behind', async () => {
    const before = used();
    for (let i = 0; i < 10; i++) await hold('GET /docs/openapi.json');
    await expect.poll(() => used() - before, { timeout: 20_000 }).toBeLessThan(50 * 1024 * 1024);
  });
});
