import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshName, givenArchived, givenEnabled, givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { setFeatureEnabled } from './index.ts';

const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
const features = '/api/admin/projects/:projectId/features' as const;

describe('a flag', () => {
  const server = useServer();
  const eventsOf = async (featureName: string) =>
    (await server().admin.call('GET /api/admin/events/:featureName', { params: { featureName } })).json.events;

  it('records an event for each step from creation to deletion', async () => {
    const environment = 'production';
    const tag = { type: 'simple', value: 'payments' };
    const params = { ...(await givenFlag(server(), { tags: [tag] })), environment };
    const { featureName } = params;
    const steps = [
      [`POST ${flag}/environments/:environment/on`, 200],
      [`POST ${flag}/environments/:environment/off`, 200],
      [`POST ${flag}/environments/:environment/on`, 200],
      [`DELETE ${flag}`, 202],
      ['POST /api/admin/archive/revive/:featureName', 200],
      [`DELETE ${flag}`, 202],
      ['DELETE /api/admin/archive/:featureName', 200],
    ] as const;
    for (const [step, status] of steps) expect((await server().admin.call(step, { params })).status).toBe(status);

    const events = await eventsOf(featureName);
    const common = { project: 'default', featureName, tags: [tag] };
    expect(events.toReversed()).toMatchObject([
      { ...common, type: 'feature-created', environment: null },
      { ...common, type: 'feature-tagged', environment: null, data: tag },
      { ...common, type: 'feature-strategy-add', environment },
      { ...common, type: 'feature-environment-enabled', environment, data: null, preData: null },
      { ...common, type: 'feature-environment-disabled', environment, data: null, preData: null },
      { ...common, type: 'feature-environment-enabled', environment, data: null, preData: null },
      { ...common, type: 'feature-archived', environment: null },
      { ...common, type: 'feature-revived', environment: null },
      { ...common, type: 'feature-archived', environment: null },
      { ...common, type: 'feature-deleted', environment: null, preData: { name: featureName, tags: [tag] } },
    ]);
    // Events of one request share a group.
    expect(events.at(-3).groupId).toBe(events.at(-4).groupId);
    expect(events.at(-3).groupId).not.toBe(events.at(-1).groupId);
  });

  it('keeps its states while archived, and is off with its strategies after revival', async () => {
    const params = await givenEnabled(server());
    const view = async () => (await server().admin.call(`GET ${flag}`, { params })).json;
    await server().admin.call(`DELETE ${flag}`, { params });
    expect(await view()).toMatchObject({ archived: true, environments: [{ enabled: true }, {}] });
    await server().admin.call('POST /api/admin/archive/revive/:featureName', { params });
    expect(await view()).toMatchObject({
      archived: false,
      archivedAt: null,
      environments: [{ enabled: false, strategies: [{ name: 'flexibleRollout' }] }, {}],
    });
  });

  it('keeps its name taken while archived, and frees the name when deleted', async () => {
    const params = await givenArchived(server());
    const call = { params: { projectId: await givenProject(server()) }, body: { name: params.featureName } };
    const taken = await server().admin.call(`POST ${features}`, call);
    expect(taken.status).toBe(409);
    expect(taken.json.message).toMatch(/archived/);
    await server().admin.call('DELETE /api/admin/archive/:featureName', { params });
    expect((await server().admin.call(`POST ${features}`, call)).status).toBe(201);
  });

  it('is created once by concurrent requests', async () => {
    const name = freshName('concurrent');
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        server().admin.call(`POST ${features}`, { params: { projectId: 'default' }, body: { name } }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(await eventsOf(name)).toHaveLength(1);
  });

  it('is switched on once by concurrent requests', async () => {
    const params = await givenFlagIn(server());
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => server().admin.call(`POST ${flag}/environments/:environment/on`, { params })),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect((await eventsOf(params.featureName)).map(({ type }: { type: string }) => type)).toEqual([
      'feature-environment-enabled',
      'feature-strategy-add',
      'feature-created',
    ]);
  });

  it('can be switched outside a request, with the cause in the event', async () => {
    const { projectId: project, featureName, environment } = await givenFlagIn(server());
    const author = { actor: { userId: 77, name: 'bot' }, cause: { signalId: 5, runId: 6 } };
    const command = { project, featureName, environment, enabled: true };
    await server().app.database.write(author, (tx) => setFeatureEnabled(tx, command));
    expect((await eventsOf(featureName))[0]).toMatchObject({
      type: 'feature-environment-enabled',
      createdBy: 'bot',
      createdByUserId: 77,
      cause: { requestId: null, signalId: 5, runId: 6 },
    });
  });

  it('stores any text without U+0000 unchanged, in the flag and in events', async () => {
    const params = await givenFlag(server());
    const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, async (description) => {
        const reply = await server().admin.call(`PUT ${flag}`, { params, body: { description } });
        expect(reply.status, reply.text).toBe(200);
        expect(reply.json.description).toBe(description);
        const [last] = await eventsOf(params.featureName);
        if (last.type === 'feature-metadata-updated') expect(last.data.description).toBe(description);
      }),
      { numRuns: 40 },
    );
  });
});

describe('flags', () => {
  const server = useServer({ featureLimit: 2 });

  it('can be created and revived up to the limit, which does not count archived flags', async () => {
    const create = (name: string) =>
      server().admin.call(`POST ${features}`, { params: { projectId: 'default' }, body: { name } });
    const archived = await givenArchived(server());
    expect((await create('first')).status).toBe(201);
    expect((await create('second')).status).toBe(201);
    const overLimit = { status: 400, json: { name: 'ExceedsLimitError' } };
    const revive = await server().admin.call('POST /api/admin/archive/revive/:featureName', { params: archived });
    for (const reply of [await create('third'), revive]) {
      expect({ status: reply.status, json: reply.json }).toMatchObject(overLimit);
    }
  });
});
