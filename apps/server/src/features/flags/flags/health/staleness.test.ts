import { describe, expect, it } from 'vitest';
import { givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';

const dayMs = 24 * 60 * 60 * 1000;
const marked = { type: 'feature-potentially-stale-on', createdBy: 'unleash_system_user', data: null, preData: null };

async function marksOf(server: TestServer, project: string) {
  const { json } = await server.admin.call('GET /api/admin/events', { query: { project } });
  return json.events.filter(({ type }: { type: string }) => type === marked.type).toReversed();
}

describe('flags older than the lifetime of their type', () => {
  const server = useServer();
  const runCheck = () => server().app.service.staleness.run();
  const lifetime = (lifetimeDays: number | null) =>
    server().admin.call('PUT /api/admin/feature-types/:id/lifetime', {
      params: { id: 'release' },
      body: { lifetimeDays },
    });

  it('are marked once, with an event that has their tags; other flags are not marked', async () => {
    const project = await givenProject(server());
    const tags = [{ type: 'simple', value: 'old' }];
    const old = await givenFlag(server(), { type: 'operational', tags }, project);
    await givenFlag(server(), { type: 'permission' }, project);
    await givenArchived(server(), project);
    const stale = await givenFlag(server(), { type: 'operational' }, project);
    await server().admin.call('POST /api/admin/projects/:projectId/stale', {
      params: { projectId: project },
      body: { features: [stale.featureName], stale: true },
    });
    await runCheck();
    expect(await marksOf(server(), project)).toEqual([]);
    server().clock.advance(8 * dayMs);
    expect(await runCheck()).toBe(1);
    expect(await runCheck()).toBe(0);
    expect(await marksOf(server(), project)).toMatchObject([
      { ...marked, featureName: old.featureName, tags, project },
    ]);
  });

  it('lose the mark when the lifetime is extended, and are marked again after it', async () => {
    const project = await givenProject(server());
    await givenFlag(server(), { type: 'release' }, project);
    server().clock.advance(41 * dayMs);
    await runCheck();
    await lifetime(80);
    await runCheck();
    expect(await marksOf(server(), project)).toHaveLength(1);
    server().clock.advance(41 * dayMs);
    await runCheck();
    await runCheck();
    expect(await marksOf(server(), project)).toHaveLength(2);
    await lifetime(40);
  });
});

describe('flags older than the lifetime of their type, with two processes', () => {
  it.runIf(engine === 'postgres')('are marked by one of them', async () => {
    const storage = await createStorage();
    const first = await startServer(storage);
    const second = await startServer(storage, {}, first.clock);
    try {
      const project = await givenProject(first);
      for (let flags = 0; flags < 20; flags++) await givenFlag(first, { type: 'operational' }, project);
      first.clock.advance(8 * dayMs);
      const checks = [first, second, first, second].map((server) => server.app.service.staleness.run());
      expect((await Promise.all(checks)).reduce<number>((sum, n = 0) => sum + n, 0)).toBe(20);
      expect(await marksOf(first, project)).toHaveLength(20);
    } finally {
      await second.stop();
      await first.stop();
      await storage.remove();
    }
  });
});
