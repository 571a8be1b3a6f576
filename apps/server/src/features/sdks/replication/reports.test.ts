import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { startTestReplica, type TestReplica } from '#testing/replica.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

/** The administrator of a server that starts again. */
const sameToken = { initAdminTokens: [`*:*.${'a'.repeat(40)}`] };

describe('what SDKs report to a replica', () => {
  const server = useServer();
  let replica: TestReplica;
  beforeAll(async () => {
    replica = await startTestReplica(server());
    await replica.caughtUp();
  });
  afterAll(() => replica?.stop());

  const countsOf = async (name: string) =>
    (await server().admin.call('GET /api/admin/client-metrics/features/:name', { params: { name } })).json;

  it('is counted by the server, with the application and the use of the token', async () => {
    const { featureName } = await givenFlag(server());
    const appName = freshName('app');
    const { secret, id } = await givenToken(server());
    await replica.caughtUp();
    const sdk = replica.client(secret);
    const now = new Date(server().clock.now()).toISOString();
    const toggles = { [featureName]: { yes: 3, no: 2, variants: { blue: 3 } } };
    const bucket = { start: now, stop: now, toggles };
    await sdk.call('POST /api/client/register', {
      body: { appName, instanceId: 'one', strategies: ['default'], started: now, interval: 10_000 },
    });
    for (let report = 0; report < 2; report++)
      await sdk.call('POST /api/client/metrics', { body: { appName, instanceId: 'one', bucket } });
    await replica.replica.reports.flush();
    await server().app.service.usage.flush();
    expect(await countsOf(featureName)).toMatchObject({
      lastHourUsage: [{ environment: 'development', yes: 6, no: 4 }],
      seenApplications: [appName],
    });
    const found = await server().admin.call('GET /api/admin/metrics/applications/:appName', { params: { appName } });
    expect(found.json).toMatchObject({ appName, strategies: [{ name: 'default' }] });
    const rows = await server().app.database.db.selectFrom('application_instances').selectAll().execute();
    expect(rows).toMatchObject([{ app_name: appName, instance_id: 'one' }]);
    expect(id).toBeGreaterThan(0);
  });

  it('is counted once when the same report comes again', async () => {
    const { featureName } = await givenFlag(server());
    const { secret } = await givenToken(server(), { type: 'replica', environment: '*' });
    const body = {
      replica: '7b5d1f1e-52a6-4c5c-9f0a-0d4e2f7c9a11',
      sequence: 1,
      ...{ samples: [], tokens: [] },
      instances: [
        {
          ...{ environment: 'development', projects: ['*'], appName: 'relayed', instanceId: 'one', sdkVersion: null },
          ...{ sdkType: 'backend', startedAt: null, strategies: null, seenAt: server().clock.now(), address: null },
        },
      ],
      counts: [
        {
          ...{ environment: 'development', projects: ['*'], featureName, appName: 'relayed', variants: {} },
          ...{ hour: server().clock.now() - (server().clock.now() % 3_600_000), yes: 5, no: 1 },
        },
      ],
    };
    const send = (report: object) => server().client(secret).request('POST', '/api/replica/reports', { body: report });
    expect([(await send(body)).status, (await send(body)).status]).toEqual([202, 202]);
    expect((await send({ ...body, sequence: 2 })).status).toBe(202);
    await server().app.service.usage.flush();
    expect(await countsOf(featureName)).toMatchObject({ lastHourUsage: [{ yes: 10, no: 2 }] });
  });

  it('is refused outside the scope of the replica, and then nothing is counted', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server());
    const { secret } = await givenToken(server(), { type: 'replica', projects: [projectId] });
    const count = { featureName, appName: 'outside', hour: 0, yes: 1, no: 0, variants: {} };
    const report = { replica: '7b5d1f1e-52a6-4c5c-9f0a-0d4e2f7c9a12', instances: [], samples: [], tokens: [] };
    const places = [
      { environment: 'development', projects: ['default'] },
      { environment: 'development', projects: ['*'] },
      { environment: 'production', projects: [projectId] },
    ];
    for (const [index, place] of places.entries()) {
      const body = { ...report, sequence: index + 1, counts: [{ ...count, ...place }] };
      const answer = await server().client(secret).request('POST', '/api/replica/reports', { body });
      expect([answer.status, answer.json.details[0].path]).toEqual([400, 'counts.0']);
    }
    const stored = await server().app.database.db.selectFrom('replica_reports').selectAll().execute();
    expect(stored.map(({ replica: id }) => id)).not.toContain(report.replica);
  });

  it('waits while the server is away, and is counted once when it is back', async () => {
    const storage = await createStorage();
    const before = await startServer(storage, sameToken);
    const { featureName: name } = await givenFlag(before);
    const { secret } = await givenToken(before);
    const lone = await startTestReplica(before);
    await lone.caughtUp();
    await before.stop();
    const toggles = { [name]: { yes: 1, no: 0, variants: {} } };
    const bucket = { start: null, stop: null, toggles };
    const body = { appName: 'waiting', instanceId: 'one', bucket };
    expect((await lone.client(secret).call('POST /api/client/metrics', { body })).status).toBe(202);
    await lone.replica.reports.flush();
    expect(lone.logged.some((line) => line.includes('cannot be sent to the upstream'))).toBe(true);
    const after = await startServer(storage, { ...sameToken, port: Number(new URL(before.url).port) });
    for (let round = 0; round < 2; round++) await lone.replica.reports.flush();
    await after.app.service.usage.flush();
    const { json } = await after.admin.call('GET /api/admin/client-metrics/features/:name', { params: { name } });
    expect(json).toMatchObject({ lastHourUsage: [{ yes: 1 }] });
    await lone.stop();
    await after.stop();
    await storage.remove();
  });
});
