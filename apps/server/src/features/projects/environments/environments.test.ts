import { describe, expect, it } from 'vitest';
import { addStrategy, freshName, givenEnabled, givenEnvironment, givenFlag, givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';
import { environmentScenarios } from './environments.scenarios.ts';

describe('environment routes', () => testScenarios(useServer(), environmentScenarios));

describe('environments', () => {
  const server = useServer({ environmentLimit: 3 });

  it('can be created up to the limit', async () => {
    const create = (name: string) =>
      server().admin.call('POST /api/admin/environments', { body: { name, type: 'test' } });
    expect((await create(freshName('third'))).status).toBe(201);
    const refused = await create(freshName('fourth'));
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ name: 'ExceedsLimitError', message: expect.stringContaining('3') });
  });

  it('have case-sensitive names', async () => {
    const reply = await server().admin.call('POST /api/admin/environments/validate', { body: { name: 'Production' } });
    expect(reply.status).toBe(200);
  });
});

describe('a cloned environment', () => {
  const server = useServer();
  const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
  const read = async (params: object) =>
    (await server().admin.call(`GET ${flag}`, { params: { ...params } as Record<string, string> })).json;

  it('has the same flag states with copies of the strategies and variants', async () => {
    const environment = await givenEnvironment(server());
    const projectId = await givenProject(server(), { environments: [environment, 'development'] });
    const segment = await givenSegment(server());
    const on = { ...(await givenFlag(server(), {}, projectId)), environment };
    const off = { ...(await givenFlag(server(), {}, projectId)), environment };
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];
    await addStrategy(server(), on, { name: 'flexibleRollout', constraints, segments: [segment.id] });
    await addStrategy(server(), on, { name: 'default', disabled: true });
    await addStrategy(server(), off, { name: 'default' });
    expect((await server().admin.call(`POST ${flag}/environments/:environment/on`, { params: on })).status).toBe(200);

    const name = freshName('copy');
    const body = { name, type: 'test' };
    const { json, status } = await server().admin.call('POST /api/admin/environments/:name/clone', {
      params: { name: environment },
      body,
    });
    expect([status, json.enabledToggleCount]).toEqual([200, 1]);
    for (const params of [on, off]) {
      const { environments } = await read(params);
      const [was, is] = [environment, name].map((environmentName) =>
        environments.find((e: { name: string }) => e.name === environmentName),
      );
      const own = ({ id: _, ...rest }: { id: string }) => rest;
      expect(is.enabled).toBe(was.enabled);
      expect(is.strategies.map(own)).toEqual(was.strategies.map(own));
      expect(is.strategies.map(({ id }: { id: string }) => id)).not.toEqual(
        was.strategies.map(({ id }: { id: string }) => id),
      );
    }
    const using = await server().admin.call('GET /api/admin/segments/:id/strategies', { params: { id: segment.id } });
    expect(using.json.strategies.map((strategy: { environment: string }) => strategy.environment).toSorted()).toEqual(
      [environment, name].toSorted(),
    );
  });

  it('serves SDKs the same flags immediately', async () => {
    const params = await givenEnabled(server());
    const name = freshName('copy');
    await server().admin.call('POST /api/admin/environments/:name/clone', {
      params: { name: params.environment },
      body: { name, type: 'development' },
    });
    const { secret } = await givenToken(server(), { type: 'backend', environment: name });
    const { json } = await server().client(secret).call('GET /api/client/features', {});
    const served = json.features.find((feature: { name: string }) => feature.name === params.featureName);
    expect(served).toMatchObject({ enabled: true, strategies: [{ name: 'flexibleRollout' }] });
  });
});
