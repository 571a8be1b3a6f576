import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenEnabled, givenFlagIn, givenProject } from '#testing/flags.ts';
import { startTestReplica, type TestReplica } from '#testing/replica.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenToken } from '#testing/tokens.ts';
import { replicationScenarios } from './replication.scenarios.ts';

describe('the routes of replicas', () => {
  testScenarios(useServer(), replicationScenarios);
});

describe('a replica', () => {
  const server = useServer();
  let replica: TestReplica;
  beforeAll(async () => {
    replica = await startTestReplica(server());
    await replica.caughtUp();
  });
  afterAll(() => replica?.stop());

  it('answers with the bytes and the ETag of its server, before and after a change', async () => {
    const { secret } = await givenToken(server());
    const compare = async () => {
      await replica.caughtUp();
      const [own, other] = await Promise.all(
        [server().client(secret), replica.client(secret)].map((client) => client.call('GET /api/client/features')),
      );
      expect(other?.status).toBe(200);
      expect(other?.text).toBe(own?.text);
      expect(other?.headers.get('etag')).toBe(own?.headers.get('etag'));
      return other?.text;
    };
    const before = await compare();
    await givenEnabled(server());
    expect(await compare()).not.toBe(before);
  });

  it('sends changes on streams, and refuses a token as soon as it is deleted', async () => {
    const { secret, id } = await givenToken(server());
    await replica.caughtUp();
    const stream = await TestStream.open(`${replica.url}/api/client/streaming`, { authorization: secret });
    expect(await stream.next()).toMatchObject({ event: 'unleash-connected' });
    const { featureName } = await givenFlagIn(server());
    expect((await stream.next())?.data.events).toMatchObject([{ feature: { name: featureName } }]);
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: String(id) } });
    expect(await stream.next()).toBeUndefined();
    expect((await replica.client(secret).call('GET /api/client/features')).status).toBe(401);
  });

  it('gets nothing of other projects and environments', async () => {
    const [projectId, other] = [await givenProject(server()), await givenProject(server())];
    const token = await givenToken(server(), { type: 'replica', projects: [projectId], environment: 'production' });
    const url = `${server().url}/api/replica/stream?protocol=1`;
    const stream = await TestStream.open(url, { authorization: token.secret });
    expect(await stream.next()).toMatchObject({ event: 'state', data: { flags: [], tokens: [] } });
    await givenToken(server(), { projects: [other], environment: 'production' });
    await givenToken(server(), { projects: [projectId], environment: 'production' });
    await givenFlagIn(server(), 'production', other);
    stream.close();
  });
});
