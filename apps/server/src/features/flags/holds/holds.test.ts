import { describe, expect, it } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { addStrategy, type FlagEnvironmentParams, givenEnabled, givenFlagIn, givenProject } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';
import { holdScenarios } from './holds.scenarios.ts';

const flagPath = '/api/admin/projects/:projectId/features/:featureName' as const;
const inEnvironment = `${flagPath}/environments/:environment` as const;

describe('routes of holds', () => testScenarios(useServer(), holdScenarios));

describe('a held flag', () => {
  const server = useServer({ holdLimit: 3 });
  const call = async (
    route: Parameters<ReturnType<typeof server>['admin']['call']>[0],
    params: object,
    body?: object,
  ) => {
    const reply = await server().admin.call(route, { params: { ...params }, ...(body && { body }) });
    expect(`${reply.status} ${reply.status < 300 ? '' : reply.text}`).toMatch(/^20/);
    return reply.text === '' ? undefined : reply.json;
  };
  const sdk = async (params: FlagEnvironmentParams) => {
    const client = await givenSdk(server(), { environment: params.environment });
    return async () => {
      const reply = await client.call('GET /api/client/features');
      const { json } = reply;
      const flag = json.features.find(({ name }: { name: string }) => name === params.featureName);
      const { enabled, strategies } = flag as { enabled: boolean; strategies: { name: string; parameters: object }[] };
      return { enabled, strategies, etag: reply.headers.get('etag') };
    };
  };

  it('is off for SDKs, and the admin API shows the hold and the configured state', async () => {
    const params = await givenEnabled(server());
    const served = await sdk(params);
    const before = await served();
    const { id } = await givenHold(server(), params, { effect: 'off', reason: 'errors' });
    expect(await served()).toMatchObject({ enabled: false, strategies: before.strategies });
    const hold = { id, effect: 'off', reason: 'errors', heldBy: { kind: 'person' } };
    const [development, production] = (await call(`GET ${flagPath}`, params)).environments;
    expect(development).toMatchObject({ enabled: true, lease: hold });
    expect(production).toMatchObject({ enabled: false, lease: null });
    expect(await call(`GET ${inEnvironment}`, params)).toMatchObject({ enabled: true, lease: hold });
    const { features } = await call('GET /api/admin/projects/:projectId/features', params);
    const row = features.find(({ name }: { name: string }) => name === params.featureName);
    expect(row.environments[0]).toMatchObject({ enabled: true, lease: hold });
    await releaseHold(server(), params, id);
    expect(await served()).toMatchObject({ enabled: true, strategies: before.strategies });
  });

  it('returns on release to the configured state, including changes made during the hold', async () => {
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' } });
    const served = await sdk(params);
    const { id } = await givenHold(server(), params);
    const switched = await call(`POST ${inEnvironment}/on`, params);
    expect(switched.environments[0]).toMatchObject({ enabled: true, lease: { id } });
    await addStrategy(server(), params, { name: 'flexibleRollout', parameters: { rollout: '25' } });
    expect(await served()).toMatchObject({ enabled: false });
    await releaseHold(server(), params, id);
    expect(await served()).toMatchObject({
      enabled: true,
      strategies: [{ name: 'userWithId' }, { parameters: { rollout: '25' } }],
    });
  });

  it('at a percentage has its gradual rollouts at that percentage and lets in no additional users', async () => {
    const params = await givenFlagIn(server());
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['no'] }];
    await addStrategy(server(), params, { name: 'default', constraints });
    await addStrategy(server(), params, {
      name: 'flexibleRollout',
      parameters: { rollout: '80', stickiness: 'userId', groupId: 'g' },
    });
    await addStrategy(server(), params, {
      name: 'gradualRolloutUserId',
      parameters: { percentage: '80', groupId: 'g' },
    });
    await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' } });
    await addStrategy(server(), params, { name: 'default', disabled: true });
    const served = await sdk(params);
    await givenHold(server(), params, { effect: 'rollout', rollout: 10 });
    const { enabled, strategies } = await served();
    expect(enabled).toBe(true);
    const gradual = {
      name: 'flexibleRollout',
      parameters: { rollout: '10', stickiness: 'default', groupId: params.featureName },
    };
    expect(strategies).toMatchObject([
      { ...gradual, constraints: [{ contextName: 'country', values: ['no'] }] },
      { name: 'flexibleRollout', parameters: { rollout: '10', stickiness: 'userId', groupId: 'g' } },
      { name: 'gradualRolloutUserId', parameters: { percentage: '10', groupId: 'g' } },
      { name: 'userWithId', parameters: { userIds: 'ann' } },
    ]);
  });

  it('is in the event log with what the flag is after each change', async () => {
    const params = await givenEnabled(server());
    const before = await lastEventId(server());
    const off = await givenHold(server(), params, { effect: 'off', key: 'a' });
    const few = await givenHold(server(), params, { effect: 'rollout', rollout: 10, key: 'b' });
    for (const { id } of [off, few]) await releaseHold(server(), params, id);
    const events = await eventsAfter(server(), before);
    const changes = events.filter(({ type }) => type === 'feature-effective-state-changed');
    const labels = ['Flag went off', 'Flag went to 10 %', 'Flag went to its configured state'];
    expect(changes).toMatchObject(labels.map((label) => ({ label })));
  });

  it('on without strategies is on for everyone, and off when its last strategy is deleted during the hold', async () => {
    const bare = await givenFlagIn(server());
    const servedBare = await sdk(bare);
    await givenHold(server(), bare, { effect: 'on' });
    expect(await servedBare()).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '100' } }] });
    const params = await givenFlagIn(server());
    const strategyId = await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' } });
    const served = await sdk(params);
    await givenHold(server(), params, { effect: 'on' });
    expect(await served()).toMatchObject({ enabled: true, strategies: [{ name: 'userWithId' }] });
    await call(`DELETE ${inEnvironment}/strategies/:strategyId`, { ...params, strategyId });
    expect(await served()).toMatchObject({ enabled: false, strategies: [] });
  });

  it('at a percentage is off when all its strategies are disabled during the hold', async () => {
    const params = await givenFlagIn(server());
    const strategyId = await addStrategy(server(), params, { name: 'default' });
    const served = await sdk(params);
    const { id } = await givenHold(server(), params, { effect: 'rollout', rollout: 10 });
    expect(await served()).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '10' } }] });
    await call(
      `PUT ${inEnvironment}/strategies/:strategyId`,
      { ...params, strategyId },
      { name: 'default', disabled: true },
    );
    expect(await served()).toMatchObject({ enabled: false });
    await releaseHold(server(), params, id);
    await givenHold(server(), params, { effect: 'rollout', rollout: 20 });
    expect(await served()).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '20' } }] });
  });

  it('with several holds is off before the lowest percentage before on, until the last hold is released', async () => {
    const params = await givenFlagIn(server());
    const before = await (await sdk(params))();
    const served = await sdk(params);
    const hold = (key: string, body: object) => givenHold(server(), params, { key, ...body });
    const on = await hold('a', { effect: 'on' });
    const off = await hold('b', { effect: 'off' });
    expect(await served()).toMatchObject({ enabled: false });
    const few = await hold('c', { effect: 'rollout', rollout: 10 });
    await releaseHold(server(), params, off.id);
    expect(await served()).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '10' } }] });
    await hold('d', { effect: 'rollout', rollout: 50 });
    expect(await served()).toMatchObject({ strategies: [{ parameters: { rollout: '10' } }] });
    const { leases } = await call(`GET ${flagPath}/leases`, params);
    expect(leases.map(({ inForce }: { inForce: boolean }) => inForce)).toEqual([false, true, false]);
    await releaseHold(server(), params, few.id);
    expect(await served()).toMatchObject({ strategies: [{ parameters: { rollout: '50' } }] });
    await releaseHold(server(), params, leases[0].id);
    expect(await served()).toMatchObject({ strategies: [{ parameters: { rollout: '100' } }] });
    await releaseHold(server(), params, on.id);
    const { etag: _etag, ...after } = await served();
    expect(before).toMatchObject(after);
  });

  it('gets a new revision only when SDKs receive another state', async () => {
    const params = await givenEnabled(server());
    const served = await sdk(params);
    const { etag } = await served();
    const on = await givenHold(server(), params, { effect: 'on', key: 'a' });
    expect((await served()).etag).toBe(etag);
    const off = await givenHold(server(), params, { effect: 'off', key: 'b' });
    const held = (await served()).etag;
    expect(held).not.toBe(etag);
    const again = await givenHold(server(), params, { effect: 'off', key: 'c', reason: 'too' });
    await givenHold(server(), params, { effect: 'off', key: 'c', reason: 'still' });
    await releaseHold(server(), params, off.id);
    expect((await served()).etag).toBe(held);
    await releaseHold(server(), params, again.id);
    const back = (await served()).etag;
    expect(back).not.toBe(held);
    await releaseHold(server(), params, on.id);
    expect((await served()).etag).toBe(back);
  });

  it('rejects a hold beyond the limit', async () => {
    const params = await givenEnabled(server());
    for (const key of ['a', 'b', 'c']) await givenHold(server(), params, { effect: 'off', key });
    const reply = await server().admin.call(`POST ${inEnvironment}/leases`, {
      params,
      body: { effect: 'off', key: 'd' },
    });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ name: 'ExceedsLimitError' });
    await givenHold(server(), params, { effect: 'on', key: 'c' });
  });

  it('is released when it is archived, and is off without holds when it is revived', async () => {
    const params = await givenEnabled(server());
    await givenHold(server(), params, { effect: 'on' });
    await givenHold(server(), { ...params, environment: 'production' });
    const before = await lastEventId(server());
    await call(`DELETE ${flagPath}`, params);
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'feature-archived' },
      { type: 'feature-lease-released', environment: 'development' },
      { type: 'feature-lease-released', environment: 'production' },
    ]);
    expect((await call(`GET ${flagPath}/leases`, params)).leases).toEqual([]);
    await server().admin.call('POST /api/admin/archive/revive/:featureName', { params });
    expect((await call(`GET ${flagPath}`, params)).environments).toMatchObject([
      { enabled: false, lease: null },
      { enabled: false, lease: null },
    ]);
  });

  it('answers the hold that a request updated, of several', async () => {
    const params = await givenEnabled(server());
    const hold = (key: string, reason: string) => givenHold(server(), params, { effect: 'off', key, reason });
    const first = await hold('a', 'errors');
    await hold('b', 'errors');
    const again = await server().admin.call(`POST ${inEnvironment}/leases`, {
      params,
      body: { effect: 'off', key: 'a', reason: 'more errors' },
    });
    expect(again.json).toMatchObject({ id: first.id, heldBy: { key: 'a' }, reason: 'more errors' });
  });

  it('stays held when another flag is archived', async () => {
    const [kept, archived] = [await givenEnabled(server()), await givenEnabled(server())];
    const served = await sdk(kept);
    for (const params of [kept, archived]) await givenHold(server(), params);
    await call(`DELETE ${flagPath}`, archived);
    expect((await call(`GET ${flagPath}/leases`, kept)).leases).toMatchObject([{ inForce: true }]);
    expect(await served()).toMatchObject({ enabled: false });
  });

  it('has one hold per environment of the same holder', async () => {
    const development = await givenEnabled(server());
    const production = { ...development, environment: 'production' };
    await call(`POST ${inEnvironment}/on`, production);
    const [inDevelopment, inProduction] = [await sdk(development), await sdk(production)];
    const { id } = await givenHold(server(), development);
    expect([(await inDevelopment()).enabled, (await inProduction()).enabled]).toEqual([false, true]);
    const other = await givenHold(server(), production);
    expect(other.id).not.toBe(id);
    await releaseHold(server(), development, id);
    expect([(await inDevelopment()).enabled, (await inProduction()).enabled]).toEqual([true, false]);
    await releaseHold(server(), production, other.id);
    expect((await inProduction()).enabled).toBe(true);
  });

  it('is listed and counted in its own project only', async () => {
    const projects = [await givenProject(server()), await givenProject(server())];
    for (const projectId of projects) {
      const flags = [await givenFlagIn(server(), 'development', projectId)];
      if (projectId === projects[0]) flags.push(await givenFlagIn(server(), 'development', projectId));
      for (const params of flags) await givenHold(server(), params);
    }
    const [first = '', second = ''] = projects;
    const list = (projectId: string, limit: number) =>
      server().admin.call('GET /api/admin/projects/:projectId/leases', { params: { projectId }, query: { limit } });
    const page = (await list(first, 1)).json;
    expect([page.leases.length, page.total]).toEqual([1, 2]);
    expect((await list(second, 10)).json.total).toBe(1);
  });

  it('on that lost its strategies stays off when the hold is updated, and is on after a hold off', async () => {
    const params = await givenFlagIn(server());
    const strategyId = await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' } });
    const served = await sdk(params);
    await givenHold(server(), params, { effect: 'on', key: 'a' });
    await call(`DELETE ${inEnvironment}/strategies/:strategyId`, { ...params, strategyId });
    await givenHold(server(), params, { effect: 'on', key: 'a', reason: 'longer' });
    expect(await served()).toMatchObject({ enabled: false, strategies: [] });
    await givenHold(server(), params, { effect: 'off', key: 'a' });
    await givenHold(server(), params, { effect: 'on', key: 'a' });
    expect(await served()).toMatchObject({ enabled: true });
  });

  it('keeps its hold when moved, and loses the hold when its project loses the environment', async () => {
    const params = await givenEnabled(server());
    const projectId = await givenProject(server());
    const { id } = await givenHold(server(), params);
    await server().admin.call(`POST ${flagPath}/changeProject`, { params, body: { newProjectId: projectId } });
    const moved = { ...params, projectId };
    expect((await call('GET /api/admin/projects/:projectId/leases', moved)).leases).toMatchObject([
      { id, project: projectId },
    ]);
    await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', { params: moved });
    expect((await call(`GET ${flagPath}/leases`, moved)).leases).toEqual([]);
    await server().admin.call('POST /api/admin/projects/:projectId/environments', {
      params: moved,
      body: { environment: 'development' },
    });
    expect((await call(`GET ${flagPath}`, moved)).environments).toMatchObject([{ lease: null }, { lease: null }]);
  });

  it('is exported and cloned in its configured state', async () => {
    const params = await givenEnabled(server());
    await givenHold(server(), params);
    await call(`POST ${flagPath}/clone`, params, { name: `${params.featureName}-clone` });
    const clone = await call(`GET ${flagPath}`, { ...params, featureName: `${params.featureName}-clone` });
    expect(clone.environments).toMatchObject([{ lease: null }, { lease: null }]);
    const body = { features: [params.featureName], environment: 'development', downloadFile: false };
    const exported = await call('POST /api/admin/features-batch/export', {}, body);
    expect(exported.featureEnvironments).toMatchObject([{ enabled: true }]);
    expect(Object.keys(exported.featureEnvironments[0])).not.toContain('lease');
  });

  it('off needs no review; on or at a percentage needs SKIP_CHANGE_REQUEST', async () => {
    const params = await givenEnabled(server());
    const projectId = await givenProject(server());
    await server().admin.call(`POST ${flagPath}/changeProject`, { params, body: { newProjectId: projectId } });
    await givenReview(server(), projectId, 'development');
    const { client } = await givenMember(server(), projectId, 5);
    const place = (body: object) =>
      client.call(`POST ${inEnvironment}/leases`, { params: { ...params, projectId }, body });
    for (const body of [{ effect: 'on' }, { effect: 'rollout', rollout: 1 }]) {
      const reply = await place(body);
      expect(reply.status).toBe(403);
      expect(reply.json).toMatchObject({ permissions: ['SKIP_CHANGE_REQUEST'] });
    }
    const held = await place({ effect: 'off' });
    expect(held.status).toBe(201);
    expect((await place({ effect: 'on' })).status).toBe(403);
    const released = await client.call(`DELETE ${inEnvironment}/leases/:leaseId`, {
      params: { ...params, projectId, leaseId: held.json.id },
    });
    expect(released.status).toBe(200);
  });
});
