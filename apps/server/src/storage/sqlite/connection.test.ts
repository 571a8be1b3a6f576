import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { engine, useServer } from '#testing/server.ts';
import { givenEndpoint, received, send } from '#testing/signals.ts';

const threads: Worker[] = [];
const remember = (message: unknown) => void threads.push((message as { worker: Worker }).worker);

/** Ends the thread that writes, as running out of memory would. */
async function endWriter(): Promise<void> {
  const writer = threads.findLast(({ threadName }) => threadName === 'sqlite-writer') as Worker;
  const ended = once(writer, 'exit');
  await writer.terminate();
  await ended;
}

describe.runIf(engine === 'sqlite')('when the thread that writes has ended', () => {
  beforeAll(() => subscribe('worker_threads', remember));
  afterAll(() => unsubscribe('worker_threads', remember));
  const server = useServer();

  it('a new thread makes the next change', async () => {
    await givenFlag(server());
    await endWriter();
    const { featureName } = await givenFlag(server());
    const reply = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
      params: { projectId: 'default', featureName },
    });
    expect(reply.status).toBe(200);
  });

  it('no signal that was accepted is lost, and every other one is answered 503', async () => {
    const endpoint = await givenEndpoint(server());
    const answers = Array.from({ length: 300 }, (_, n) => send(server(), endpoint, `{"n":${n}}`));
    await Promise.race(answers);
    await endWriter();
    const settled = await Promise.all(answers);
    expect(new Set(settled.map(({ status }) => status)).difference(new Set([200, 503])).size).toBe(0);
    const accepted = settled.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect((await send(server(), endpoint, '{"n":"after"}')).status).toBe(200);
    const { json } = await received(server(), endpoint, 1000);
    const stored = new Set(json.signalEndpointSignals.map(({ payload }: { payload: { n: unknown } }) => payload.n));
    expect(accepted.filter((n) => !stored.has(n))).toEqual([]);
  });
});
