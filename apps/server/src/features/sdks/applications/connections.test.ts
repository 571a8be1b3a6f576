import { describe, expect, it } from 'vitest';
import { withListener } from '#storage/kysely-connection.ts';
import { givenApplication } from '#testing/applications.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';
import { connectionScenarios } from './connections.scenarios.ts';
import { connectionsOf } from './connections.ts';

const route = 'GET /api/admin/projects/:projectId/features/:featureName/connections';

describe('the connections of a flag', () => {
  const server = useServer();
  testScenarios(server, connectionScenarios);

  it('lists an application with many instances once, with its newest SDK', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    server().clock.advance(11 * 60 * 1000);
    const sdk = await givenSdk(server());
    for (const [instanceId, sdkVersion] of [
      ['a', 'sdk:1'],
      ['b', 'sdk:2'],
      ['c', 'sdk:3'],
    ] as const) {
      server().clock.advance(1000);
      const body = {
        appName: 'many',
        instanceId,
        sdkVersion,
        strategies: [],
        started: server().clock.now(),
        interval: 1,
      };
      expect((await sdk.call('POST /api/client/register', { body })).status).toBe(202);
    }
    await server().app.service.usage.flush();
    const { json } = await server().admin.call(route, { params: { projectId, featureName } });
    expect(json.applications).toMatchObject([{ appName: 'many', sdkVersion: 'sdk:3' }]);
  });

  it('lists an application that has evaluated only a flag that does not exist, as possibly of the project', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    server().clock.advance(11 * 60 * 1000);
    const appName = await givenApplication(server(), { sdkVersion: 'sdk:1', flags: [`${featureName}-mistyped`] });
    const { json } = await server().admin.call(route, { params: { projectId, featureName } });
    expect(json.applications).toMatchObject([{ appName, evaluatedAt: null, usesProject: false }]);
  });

  it('lists an application in a further environment when it evaluates flags of the project in another one', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    server().clock.advance(11 * 60 * 1000);
    const appName = await givenApplication(server(), { sdkVersion: 'sdk:1', flags: [featureName] });
    const sdk = await givenSdk(server(), { environment: 'production' });
    const body = { appName, instanceId: 'two', strategies: [], started: server().clock.now(), interval: 1 };
    expect((await sdk.call('POST /api/client/register', { body })).status).toBe(202);
    await server().app.service.usage.flush();
    const { json } = await server().admin.call(route, { params: { projectId, featureName } });
    expect(json.applications).toMatchObject([
      { appName, environment: 'development', evaluatedAt: expect.any(String), usesProject: true },
      { appName, environment: 'production', evaluatedAt: null, usesProject: true },
    ]);
  });

  it('takes two statements', async () => {
    const statements: string[] = [];
    const db = withListener(server().app.database.db, (statement) => void statements.push(statement));
    await connectionsOf(db, { project: 'default', featureName: 'any' }, server().clock.now());
    expect(statements).toHaveLength(2);
  });
});

describe('the last use of tokens', () => {
  it('is told by environment and type, also of a token that names no application', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-again'] };
    const first = await startServer(storage, settings);
    const projectId = await givenProject(first);
    const { featureName } = await givenFlag(first, {}, projectId);
    const other = await givenProject(first);
    const sdk = await givenSdk(first, { type: 'frontend', projects: [projectId], environment: 'development' });
    expect((await sdk.call('POST /ofrep/v1/evaluate/flags', { body: { context: {} } })).status).toBe(200);
    const elsewhere = await givenSdk(first, { projects: [other], environment: 'production' });
    expect((await elsewhere.call('GET /api/client/features')).status).toBe(200);
    const at = new Date(first.clock.now()).toISOString();
    // Uses are written when the server stops, at the latest.
    await first.stop();
    const second = await startServer(storage, settings);
    const { json } = await second.admin.call(route, { params: { projectId, featureName } });
    await second.stop();
    await storage.remove();
    expect(json).toEqual({ applications: [], tokens: [{ environment: 'development', type: 'frontend', seenAt: at }] });
  });
});
