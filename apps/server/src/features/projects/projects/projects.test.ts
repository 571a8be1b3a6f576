import { describe, expect, it } from 'vitest';
import { givenGroup, giveRoles } from '#testing/access.ts';
import { addStrategy, freshName, givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { givenUser } from '#testing/people.ts';
import { eventsAfter, testScenarios } from '#testing/scenario.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';
import { projectScenarios } from './projects.scenarios.ts';

describe('project routes', () => testScenarios(useServer(), projectScenarios));

describe('a project', () => {
  const server = useServer();
  const dayMs = 24 * 60 * 60 * 1000;
  const statistics = async (id: string) => {
    const { json } = await server().admin.call('GET /api/admin/projects');
    return json.projects.find((project: { id: string }) => project.id === id);
  };

  it('has a health that decreases with stale and potentially stale flags', async () => {
    const projectId = await givenProject(server());
    await givenFlag(server(), { type: 'operational' }, projectId);
    await givenFlag(server(), { type: 'permission' }, projectId);
    const { featureName } = await givenFlag(server(), { type: 'release' }, projectId);
    await server().admin.call('POST /api/admin/projects/:projectId/stale', {
      params: { projectId },
      body: { features: [featureName], stale: true },
    });
    expect(await statistics(projectId)).toMatchObject({
      featureCount: 3,
      staleFeatureCount: 1,
      potentiallyStaleFeatureCount: 0,
      health: 67,
      technicalDebt: 33,
    });
    server().clock.advance(8 * dayMs);
    expect(await statistics(projectId)).toMatchObject({ potentiallyStaleFeatureCount: 1, health: 33 });

    const lifetime = (id: string, lifetimeDays: number | null) =>
      server().admin.call('PUT /api/admin/feature-types/:id/lifetime', { params: { id }, body: { lifetimeDays } });
    await lifetime('permission', 7);
    expect(await statistics(projectId)).toMatchObject({ potentiallyStaleFeatureCount: 2, health: 0 });
    await lifetime('permission', null);
    await lifetime('operational', 9);
    expect(await statistics(projectId)).toMatchObject({ potentiallyStaleFeatureCount: 0, health: 67 });
    await lifetime('operational', 7);
  });

  it('shows its owners, its last change and the stages of its flags', async () => {
    const { admin, clock } = server();
    const ofSystem = await givenProject(server());
    expect(await statistics(ofSystem)).toMatchObject({
      owners: [{ ownerType: 'system' }],
      onboardingStatus: { status: 'onboarding-started' },
      avgTimeToProduction: 0,
      cleanupCount: 0,
    });
    const user = await givenUser(server());
    const group = await givenGroup(server(), []);
    await giveRoles(server(), ofSystem, [4], { users: [user.id], groups: [group.id] });
    const first = await givenFlag(server(), {}, ofSystem);
    clock.advance(1000);
    const second = await givenFlag(server(), {}, ofSystem);
    expect(await statistics(ofSystem)).toMatchObject({
      owners: [
        { ownerType: 'user', name: 'A person', email: `${user.username}@example.com` },
        { ownerType: 'group', name: group.name },
      ],
      lastUpdatedAt: new Date(clock.now()).toISOString(),
      onboardingStatus: { status: 'first-flag-created', feature: first.featureName },
    });
    clock.advance(2 * dayMs);
    const sdk = await givenSdk(server(), { environment: 'production' });
    const at = clock.now();
    const toggles = { [second.featureName]: { yes: 1, no: 0 } };
    await sdk.call('POST /api/client/metrics', {
      body: { appName: 'a', instanceId: 'i', bucket: { start: at, stop: at, toggles } },
    });
    await server().app.service.usage.flush();
    const complete = 'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete';
    expect((await admin.call(complete, { params: second, body: { status: 'kept' } })).status).toBe(200);
    expect(await statistics(ofSystem)).toMatchObject({
      onboardingStatus: { status: 'onboarded' },
      avgTimeToProduction: 2,
      cleanupCount: 1,
      lastReportedFlagUsage: new Date(at).toISOString(),
    });
  });

  it('answers 403 for created, cloned, revived and moved flags while it is archived', async () => {
    const projectId = await givenProject(server());
    const old = await givenArchived(server(), projectId);
    const elsewhere = await givenFlag(server());
    const { admin } = server();
    expect((await admin.call('POST /api/admin/projects/archive/:projectId', { params: { projectId } })).status).toBe(
      200,
    );
    const tries = () =>
      Promise.all([
        admin.call('POST /api/admin/projects/:projectId/features', {
          params: { projectId },
          body: { name: freshName('new') },
        }),
        admin.call('POST /api/admin/projects/:projectId/revive', {
          params: { projectId },
          body: { features: [old.featureName] },
        }),
        admin.call('POST /api/admin/projects/:projectId/features/:featureName/changeProject', {
          params: elsewhere,
          body: { newProjectId: projectId },
        }),
      ]);
    for (const reply of await tries()) {
      expect(reply.status).toBe(403);
      expect(reply.json).toMatchObject({ name: 'InvalidOperationError', message: expect.stringContaining('archived') });
    }
    expect((await admin.call('POST /api/admin/projects/revive/:projectId', { params: { projectId } })).status).toBe(
      200,
    );
    expect((await tries()).map(({ status }) => status)).toEqual([201, 200, 200]);
  });

  it('keeps the strategies of a removed environment; its flags are off when it is added again', async () => {
    const projectId = await givenProject(server());
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    const toggle = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    const view = 'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment';
    await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' } });
    expect((await server().admin.call(toggle, { params })).status).toBe(200);

    await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', { params });
    expect((await server().admin.call(view, { params })).status).toBe(404);
    expect((await server().admin.call(toggle, { params })).status).toBe(404);

    const body = { environment: 'production' };
    await server().admin.call('POST /api/admin/projects/:projectId/environments', { params, body });
    expect((await server().admin.call(view, { params })).json).toMatchObject({
      enabled: false,
      strategies: [{ name: 'userWithId', parameters: { userIds: 'ann' } }],
    });
  });

  it('gets a unique id when the id made from its name is taken', async () => {
    const create = () => server().admin.call('POST /api/admin/projects', { body: { name: 'Twice the same' } });
    expect((await create()).json.id).toBe('twice-the-same');
    expect((await create()).json.id).toMatch(/^twice-the-same-[0-9a-f]{8}$/);
    const unspeakable = await server().admin.call('POST /api/admin/projects', { body: { name: '日本' } });
    expect(unspeakable.json).toMatchObject({ id: 'project', name: '日本' });
  });

  it('keeps any Unicode text in its description', async () => {
    const description = 'Ünïcödé \u{1F6A9}\u200D "quotes" \\ \u0001 \u2028 ﷽';
    const projectId = await givenProject(server(), { description });
    const overview = await server().admin.call('GET /api/admin/projects/:projectId/overview', {
      params: { projectId },
    });
    expect(overview.json.description).toBe(description);
  });
});

describe('projects', () => {
  const server = useServer({ projectLimit: 2 });

  it('are created up to the limit', async () => {
    const create = (id: string) => server().admin.call('POST /api/admin/projects', { body: { id, name: id } });
    expect((await create('second')).status).toBe(201);
    const refused = await create('third');
    expect(refused.status).toBe(400);
    expect(refused.json.name).toBe('ExceedsLimitError');
  });
});

describe('the first start', () => {
  const settings = { initAdminTokens: [`*:*.${'a1'.repeat(28)}`] };
  const firstEvents = [
    { type: 'environment-created', environment: 'development', createdByUserId: -1337 },
    { type: 'environment-created', environment: 'production' },
    { type: 'project-created', project: 'default', data: { environments: ['development', 'production'] } },
  ];
  const seeded = async (server: TestServer) =>
    (await eventsAfter(server, 0)).filter(({ type }) => /^(project|environment)-/.test(type));

  it('creates the first project once, as the system', async () => {
    const storage = await createStorage();
    try {
      for (let start = 0; start < 2; start++) {
        const server = await startServer(storage, settings);
        expect(await seeded(server)).toMatchObject(firstEvents);
        await server.stop();
      }
    } finally {
      await storage.remove();
    }
  });

  it.runIf(engine === 'postgres')('creates it once when several processes start together', async () => {
    const storage = await createStorage();
    const starts = await Promise.allSettled([1, 2, 3].map(() => startServer(storage, settings)));
    const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    try {
      expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
      for (const server of servers) expect(await seeded(server)).toMatchObject(firstEvents);
    } finally {
      for (const server of servers) await server.stop();
      await storage.remove();
    }
  });
});
