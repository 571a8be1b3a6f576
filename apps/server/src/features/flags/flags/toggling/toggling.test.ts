import { describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const environmentPath = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

describe('flags switched by concurrent requests', () => {
  const server = useServer();
  const environment = 'development';
  const flags = async (count: number, projectId: string) =>
    Promise.all(Array.from({ length: count }, async () => (await givenFlag(server(), {}, projectId)).featureName));
  const to = (way: 'on' | 'off', projectId: string, featureName: string, client: ApiClient = server().admin) =>
    client.call(`POST ${environmentPath}/${way}`, { params: { projectId, featureName, environment } });
  const eventsOf = async (project: string) => {
    const query = { project: `IS:${project}`, limit: '100' };
    const { json } = await server().admin.call('GET /api/admin/search/events', { query });
    const events: { id: number; type: string; featureName: string | null; groupId?: string }[] = json.events;
    return events.toReversed().filter(({ type }) => /^feature-(strategy|environment)/.test(type));
  };

  it('are each switched with their own events and answers', async () => {
    const project = await givenProject(server());
    const names = await flags(24, project);
    const answers = await Promise.all(names.map((name) => to('on', project, name)));
    for (const [index, { status, json }] of answers.entries()) {
      expect(status).toBe(200);
      expect(json).toMatchObject({ name: names[index], environments: [{ enabled: true, strategies: [{}] }, {}] });
    }
    const events = await eventsOf(project);
    for (const name of names) {
      const own = events.filter(({ featureName }) => featureName === name);
      expect(own.map(({ type }) => type)).toEqual(['feature-strategy-add', 'feature-environment-enabled']);
      expect(own[1]?.id).toBe((own[0]?.id ?? 0) + 1);
      expect(own[0]?.groupId).toEqual(expect.any(String));
      expect(own[1]?.groupId).toBe(own[0]?.groupId);
    }
    expect(events).toHaveLength(2 * names.length);
    expect(new Set(events.map(({ groupId }) => groupId)).size).toBe(names.length);
  });

  it('fail on their own where a flag cannot be switched; a flag is not switched twice', async () => {
    const project = await givenProject(server());
    const names = await flags(6, project);
    await Promise.all(names.map((name) => to('on', project, name)));
    const before = (await eventsOf(project)).length;
    const answers = await Promise.all([
      ...names.map((name) => to('off', project, name)),
      to('off', project, freshName('nowhere')),
      ...names.map((name) => to('off', project, name)),
      to('off', 'default', names[0] ?? ''),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...names.map(() => 200), 404, ...names.map(() => 200), 404]);
    const after = (await eventsOf(project)).slice(before);
    expect(after.map(({ type }) => type)).toEqual(names.map(() => 'feature-environment-disabled'));
    expect(new Set(after.map(({ featureName }) => featureName))).toEqual(new Set(names));
  });

  it('answer 403 only for flags whose changes are reviewed', async () => {
    const [open, reviewed] = [await givenProject(server()), await givenProject(server())];
    await givenReview(server(), reviewed);
    const { client } = await givenCaller(server(), 'Editor');
    const [free, held] = [await flags(4, open), await flags(4, reviewed)];
    const answers = await Promise.all(
      free.flatMap((name, index) => [to('on', open, name, client), to('on', reviewed, held[index] ?? '', client)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(free.flatMap(() => [200, 403]));
    expect(await eventsOf(open)).toHaveLength(8);
    expect(await eventsOf(reviewed)).toEqual([]);
  });
});
