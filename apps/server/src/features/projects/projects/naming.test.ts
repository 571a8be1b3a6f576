import { describe, expect, it } from 'vitest';
import { freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { withLongestTurn } from '#testing/longest-turn.ts';
import { useServer } from '#testing/server.ts';

describe('the naming pattern of a project', () => {
  const server = useServer();

  async function givenNaming(featureNaming: object): Promise<string> {
    const projectId = await givenProject(server());
    const reply = await server().admin.call('PUT /api/admin/projects/:projectId/settings', {
      params: { projectId },
      body: { featureNaming },
    });
    expect(reply.status).toBe(200);
    return projectId;
  }

  const create = (projectId: string, name: string) =>
    server().admin.call('POST /api/admin/projects/:projectId/features', { params: { projectId }, body: { name } });

  it('must match the whole name; the error shows the pattern, example and description', async () => {
    const projectId = await givenNaming({ pattern: 'web|app', example: 'web', description: 'Where it is used' });
    const refused = await create(projectId, 'web-shop');
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      name: 'PatternError',
      details: [{ path: 'name' }, { message: 'Example: web' }, { message: 'Description: Where it is used' }],
    });
    expect((await create(projectId, 'web')).status).toBe(201);
    const params = { projectId };
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/overview', { params });
    expect(json.featureNaming).toEqual({ pattern: 'web|app', example: 'web', description: 'Where it is used' });
  });

  it('is checked when a flag is cloned and when a name is validated', async () => {
    const projectId = await givenProject(server());
    const flag = await givenFlag(server(), {}, projectId);
    const settings = 'PUT /api/admin/projects/:projectId/settings' as const;
    const naming = { pattern: 'x-.*' };
    await server().admin.call(settings, { params: { projectId }, body: { featureNaming: naming } });
    const clone = (name: string) =>
      server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/clone', {
        params: flag,
        body: { name },
      });
    expect((await clone(freshName('y'))).json.name).toBe('PatternError');
    expect((await clone(freshName('x'))).status).toBe(201);
    const validate = (name: string) =>
      server().admin.call('POST /api/admin/features/validate', { body: { name, projectId } });
    expect((await validate(freshName('y'))).json.name).toBe('PatternError');
    expect((await validate(freshName('x'))).status).toBe(200);
  });

  it('does not affect existing flags, and is removed by null', async () => {
    const projectId = await givenProject(server());
    const flag = await givenFlag(server(), {}, projectId);
    const set = (pattern: string | null) =>
      server().admin.call('PUT /api/admin/projects/:projectId/settings', {
        params: { projectId },
        body: { featureNaming: { pattern } },
      });
    await set('never');
    const change = await server().admin.call('PUT /api/admin/projects/:projectId/features/:featureName', {
      params: flag,
      body: { description: 'still mine' },
    });
    expect(change.status).toBe(200);
    expect((await create(projectId, freshName('free'))).status).toBe(400);
    await set(null);
    expect((await create(projectId, freshName('free'))).status).toBe(201);
  });

  it('with exponential backtracking does not block the server', async () => {
    const projectId = await givenNaming({ pattern: '(a+)+' });
    const { result, longestTurnMs } = await withLongestTurn(() => create(projectId, `${'a'.repeat(60)}-`));
    expect(result.json.name).toBe('PatternError');
    expect(longestTurnMs).toBeLessThan(400);
  });

  it('with exponential backtracking blocks a plan of many flags only once and is reported', async () => {
    const projectId = await givenNaming({ pattern: '^(b+)+c$' });
    const names = Array.from({ length: 20 }, () => freshName('b'.repeat(60)));
    const flags = Object.fromEntries(names.map((name) => [name, {}]));
    const before = process.threadCpuUsage();
    const plan = await server().admin.call('POST /api/admin/state/plan', {
      body: { state: { version: 1, projects: { [projectId]: { flags } } } },
    });
    // Without the shared budget each name would take a quarter of a second.
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_500_000);
    expect(plan.status, plan.text).toBe(200);
    expect(plan.json.errors).toHaveLength(20);
    for (const { message } of plan.json.errors) expect(message).toContain('takes too long');
    const refused = await create(projectId, 'bc');
    expect(refused.json).toMatchObject({ name: 'PatternError', details: [{ path: 'name' }] });
    expect(refused.json.message).toContain('takes too long');
  });

  it('answers 400 when the pattern takes too long for its example', async () => {
    const projectId = await givenProject(server());
    const reply = await server().admin.call('PUT /api/admin/projects/:projectId/settings', {
      params: { projectId },
      body: { featureNaming: { pattern: '^(d+)+e$', example: 'd'.repeat(60) } },
    });
    expect(reply.status).toBe(400);
    expect(reply.json.details).toMatchObject([
      { path: 'featureNaming.pattern', message: expect.stringContaining('too long') },
    ]);
  });
});
