import { describe, expect, it } from 'vitest';
import { givenEnabled } from '#testing/flags.ts';
import { startTestReplica } from '#testing/replica.ts';
import { createStorage, startServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenToken } from '#testing/tokens.ts';

/** The administrator of a server that starts again. */
const sameToken = { initAdminTokens: [`*:*.${'a'.repeat(40)}`] };

describe('a replica whose server is away', () => {
  it('answers 503 and is not ready before it has flags, and never an empty list', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, sameToken);
    const { secret } = await givenToken(server);
    const replicaToken = (await givenToken(server, { type: 'replica', environment: '*' })).secret;
    await server.stop();
    const replica = await startTestReplica(server, { replicaToken });
    const paths = ['/api/client/features', '/api/client/delta', '/api/client/streaming', '/api/frontend', '/ready'];
    for (const path of paths) {
      const answer = await replica.client(secret).request('GET', path);
      expect([path, answer.status]).toEqual([path, 503]);
    }
    expect((await replica.client(secret).request('GET', '/health')).status).toBe(200);
    const again = await startServer(storage, { ...sameToken, port: Number(new URL(server.url).port) });
    await replica.replica.memory.reached({ id: 1 }, 10_000);
    expect((await replica.client(secret).request('GET', '/ready')).status).toBe(200);
    expect((await replica.client(secret).request('GET', '/api/client/features')).status).toBe(200);
    await replica.stop();
    await again.stop();
    await storage.remove();
  });

  it('goes on serving, keeps its streams, and gets the changes since when the server is back', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, sameToken);
    const { secret } = await givenToken(server);
    const replica = await startTestReplica(server, { replicaReady: 'in-sync' });
    await replica.caughtUp();
    const stream = await TestStream.open(`${replica.url}/api/client/streaming`, { authorization: secret });
    expect(await stream.next()).toMatchObject({ event: 'unleash-connected' });
    const ready = async () => (await replica.client(secret).request('GET', '/ready')).status;
    expect(await ready()).toBe(200);
    await server.stop();
    await expect.poll(ready, { timeout: 10_000 }).toBe(503);
    expect((await replica.client(secret).call('GET /api/client/features')).status).toBe(200);
    const again = await startServer(storage, { ...sameToken, port: Number(new URL(server.url).port) });
    const { featureName } = await givenEnabled(again);
    const message = await stream.next();
    expect(message?.event).toBe('unleash-updated');
    expect(JSON.stringify(message?.data)).toContain(featureName);
    expect(await ready()).toBe(200);
    // One line when the server is lost, and one when it is back, unless the reasons differ.
    const told = replica.logged.map((line) => JSON.parse(line) as { msg: string; reason?: string });
    const lost = told.filter(({ msg }) => msg.startsWith('the upstream cannot be followed'));
    expect(new Set(lost.map(({ reason }) => reason)).size).toBe(lost.length);
    expect(told.filter(({ msg }) => msg === 'the upstream is followed again')).toHaveLength(1);
    stream.close();
    await replica.stop();
    await again.stop();
    await storage.remove();
  });
});
