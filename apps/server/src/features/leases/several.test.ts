import { describe, expect, it } from 'vitest';
import {
  addStrategy,
  type FlagEnvironmentParams,
  givenEnabled,
  givenFlagIn,
  givenProject,
} from '../../../testing/flags.ts';
import { givenLease, release } from '../../../testing/leases.ts';
import { useServer } from '../../../testing/server.ts';
import { givenSdk } from '../../../testing/tokens.ts';

const flagPath = '/api/admin/projects/:projectId/features/:featureName' as const;
const inEnvironment = `${flagPath}/environments/:environment` as const;
const hour = 3_600_000;

describe('of several holds, a flag', () => {
  const server = useServer();
  const call = async (route: Parameters<ReturnType<typeof server>['admin']['call']>[0], params: object) => {
    const reply = await server().admin.call(route, { params: { ...params } });
    expect(`${reply.status} ${reply.status < 300 ? '' : reply.text}`).toMatch(/^20/);
    return reply.text === '' ? undefined : reply.json;
  };
  const sdk = async (params: FlagEnvironmentParams) => {
    const client = await givenSdk(server(), { environment: params.environment });
    return async () => {
      const { features } = (await client.call('GET /api/client/features')).json;
      return features.find(({ name }: { name: string }) => name === params.featureName);
    };
  };

  it('is told which lease a request has changed, of several', async () => {
    const params = await givenEnabled(server());
    const hold = (key: string, reason: string) => givenLease(server(), params, { effect: 'off', key, reason });
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
    for (const params of [kept, archived]) await givenLease(server(), params);
    await call(`DELETE ${flagPath}`, archived);
    expect((await call(`GET ${flagPath}/leases`, kept)).leases).toMatchObject([{ inForce: true }]);
    expect(await served()).toMatchObject({ enabled: false });
  });

  it('is held in each environment by itself, by the same holder', async () => {
    const development = await givenEnabled(server());
    const production = { ...development, environment: 'production' };
    await call(`POST ${inEnvironment}/on`, production);
    const [inDevelopment, inProduction] = [await sdk(development), await sdk(production)];
    const { id } = await givenLease(server(), development);
    expect([(await inDevelopment()).enabled, (await inProduction()).enabled]).toEqual([false, true]);
    const other = await givenLease(server(), production);
    expect(other.id).not.toBe(id);
    await release(server(), development, id);
    expect([(await inDevelopment()).enabled, (await inProduction()).enabled]).toEqual([true, false]);
    await release(server(), production, other.id);
    expect((await inProduction()).enabled).toBe(true);
  });

  it('is listed and counted with the flags of its project alone', async () => {
    const projects = [await givenProject(server()), await givenProject(server())];
    for (const projectId of projects) {
      const flags = [await givenFlagIn(server(), 'development', projectId)];
      if (projectId === projects[0]) flags.push(await givenFlagIn(server(), 'development', projectId));
      for (const params of flags) await givenLease(server(), params);
    }
    const [first = '', second = ''] = projects;
    const list = (projectId: string, limit: number) =>
      server().admin.call('GET /api/admin/projects/:projectId/leases', { params: { projectId }, query: { limit } });
    const page = (await list(first, 1)).json;
    expect([page.leases.length, page.total]).toEqual([1, 2]);
    expect((await list(second, 10)).json.total).toBe(1);
  });

  it('is not held until now, which is over at once', async () => {
    const params = await givenEnabled(server());
    const body = { effect: 'off', expiresAt: new Date(server().clock.now()).toISOString() };
    expect((await server().admin.call(`POST ${inEnvironment}/leases`, { params, body })).status).toBe(400);
  });

  it('until a time is free before one that is held longer', async () => {
    const [short, long] = [await givenEnabled(server()), await givenEnabled(server())];
    const [servedShort, servedLong] = [await sdk(short), await sdk(long)];
    const until = (ms: number) => new Date(server().clock.now() + ms).toISOString();
    await givenLease(server(), long, { effect: 'off', expiresAt: until(2 * hour) });
    await givenLease(server(), short, { effect: 'off', expiresAt: until(hour) });
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect([(await servedShort()).enabled, (await servedLong()).enabled]).toEqual([true, false]);
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect((await servedLong()).enabled).toBe(true);
  });

  it('stays held without an end when another hold of it has expired', async () => {
    const params = await givenEnabled(server());
    const served = await sdk(params);
    const expiresAt = new Date(server().clock.now() + hour).toISOString();
    await givenLease(server(), params, { effect: 'off', key: 'a', expiresAt });
    const kept = await givenLease(server(), params, { effect: 'off', key: 'b' });
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect((await call(`GET ${flagPath}/leases`, params)).leases).toMatchObject([{ id: kept.id }]);
    expect(await served()).toMatchObject({ enabled: false });
  });

  it('on, with strategies once, stays off without them when it is held on again', async () => {
    const params = await givenFlagIn(server());
    const strategyId = await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' } });
    const served = await sdk(params);
    await givenLease(server(), params, { effect: 'on', key: 'a' });
    await call(`DELETE ${inEnvironment}/strategies/:strategyId`, { ...params, strategyId });
    await givenLease(server(), params, { effect: 'on', key: 'a', reason: 'longer' });
    expect(await served()).toMatchObject({ enabled: false, strategies: [] });
    await givenLease(server(), params, { effect: 'off', key: 'a' });
    await givenLease(server(), params, { effect: 'on', key: 'a' });
    expect(await served()).toMatchObject({ enabled: true });
  });
});
