import { describe, expect, it } from 'vitest';
import { type FlagParams, freshName, givenEnvironment, givenFlag, givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { givenSdk } from '#testing/tokens.ts';
import { createStageTracker } from './index.ts';
import { lifecycleScenarios } from './lifecycle.scenarios.ts';

const flag = '/api/admin/projects/:projectId/features/:featureName' as const;

describe('lifecycle routes', () => testScenarios(useServer(), lifecycleScenarios));

describe('the lifecycle of a flag', () => {
  const server = useServer();
  const call = (route: Parameters<ReturnType<typeof server>['admin']['call']>[0], params: FlagParams, body?: object) =>
    server().admin.call(route, { params, body });
  const stages = async (params: FlagParams): Promise<string[]> =>
    (await call(`GET ${flag}/lifecycle`, params)).json.map(({ stage }: { stage: string }) => stage);

  /** Reports, as an SDK, evaluations of flags in an environment. */
  async function evaluated(environment: string, ...flags: readonly FlagParams[]): Promise<void> {
    const sdk = await givenSdk(server(), { environment });
    const toggles = Object.fromEntries(flags.map(({ featureName }) => [featureName, { yes: 1, no: 0 }]));
    const at = new Date(server().clock.now()).toISOString();
    const bucket = { start: at, stop: at, toggles };
    await sdk.call('POST /api/client/metrics', { body: { appName: 'app', instanceId: 'i', bucket } });
    await server().app.service.usage.flush();
  }

  it('advances when the flag is evaluated, and the flag shows the time', async () => {
    const params = await givenFlag(server());
    server().clock.advance(1000);
    await evaluated('development', params);
    const preLiveAt = new Date(server().clock.now()).toISOString();
    expect((await call(`GET ${flag}`, params)).json.lifecycle).toEqual({
      stage: 'pre-live',
      status: null,
      enteredStageAt: preLiveAt,
    });
    server().clock.advance(1000);
    await evaluated('development', params);
    await evaluated('production', params);
    await evaluated('development', params);
    expect((await call(`GET ${flag}/lifecycle`, params)).json).toMatchObject([
      { stage: 'initial' },
      { stage: 'pre-live', enteredStageAt: preLiveAt },
      { stage: 'live', enteredStageAt: new Date(server().clock.now()).toISOString() },
    ]);
  });

  it('is live from the first evaluation in production', async () => {
    const params = await givenFlag(server());
    await evaluated('production', params);
    await evaluated('development', params);
    expect(await stages(params)).toEqual(['initial', 'live']);
  });

  it('follows the current type of the environment', async () => {
    const environment = await givenEnvironment(server(), { enabled: true });
    const projectId = await givenProject(server(), { environments: [environment] });
    const params = await givenFlag(server(), {}, projectId);
    await evaluated(environment, params);
    expect(await stages(params)).toEqual(['initial', 'pre-live']);
    await server().admin.call('PUT /api/admin/environments/update/:name', {
      params: { name: environment },
      body: { type: 'production' },
    });
    await evaluated(environment, params);
    expect(await stages(params)).toEqual(['initial', 'pre-live', 'live']);
  });

  it('does not advance while the flag is completed or archived, and then continues from its stage', async () => {
    const params = await givenFlag(server());
    await evaluated('development', params);
    await call(`POST ${flag}/lifecycle/complete`, params, { status: 'kept' });
    await evaluated('production', params);
    expect(await stages(params)).toEqual(['initial', 'pre-live', 'completed']);
    await call(`DELETE ${flag}`, params);
    expect((await call(`GET ${flag}`, params)).json.lifecycle.stage).toBe('archived');
    await call('POST /api/admin/archive/revive/:featureName', params);
    await call(`POST ${flag}/lifecycle/uncomplete`, params);
    expect(await stages(params)).toEqual(['initial', 'pre-live']);
    await evaluated('production', params);
    expect(await stages(params)).toEqual(['initial', 'pre-live', 'live']);
  });

  it('starts again for a new flag with the name of a deleted flag', async () => {
    const name = freshName('phoenix');
    const params = await givenFlag(server(), { name });
    await evaluated('production', params);
    await call(`DELETE ${flag}`, params);
    await call('DELETE /api/admin/archive/:featureName', params);
    await givenFlag(server(), { name });
    expect(await stages(params)).toEqual(['initial']);
    await evaluated('production', params);
    expect(await stages(params)).toEqual(['initial', 'live']);
  });

  it('can be used as a search filter', async () => {
    const projectId = await givenProject(server());
    const [live, fresh] = [await givenFlag(server(), {}, projectId), await givenFlag(server(), {}, projectId)];
    await evaluated('production', live);
    const found = async (lifecycle: string) => {
      const query = { project: `IS:${projectId}`, lifecycle };
      const { json } = await server().admin.call('GET /api/admin/search/features', { query });
      return json.features.map((feature: { name: string; lifecycle: { stage: string } }) => [
        feature.name,
        feature.lifecycle.stage,
      ]);
    };
    expect(await found('IS:live')).toEqual([[live.featureName, 'live']]);
    expect(await found('IS_NOT:live')).toEqual([[fresh.featureName, 'initial']]);
    expect(await found('IS_ANY_OF:live,initial')).toHaveLength(2);
    const refused = await server().admin.call('GET /api/admin/search/features', { query: { lifecycle: 'IS:dead' } });
    expect(refused.status).toBe(400);
  });

  it('takes one statement for flags with a new stage, and none for known flags', async () => {
    const names = [(await givenFlag(server())).featureName, (await givenFlag(server())).featureName];
    const { database } = server().app;
    let writes = 0;
    const watched = {
      ...database,
      writeQuietly: (...given: Parameters<typeof database.writeQuietly>) => {
        writes++;
        return database.writeQuietly(...given);
      },
      db: counted(database).db,
    } as typeof database;
    const sightings = createStageTracker(watched, (error) => {
      throw error;
    });
    await sightings.recordEvaluated(names, 'production');
    expect(writes).toBe(1);
    await sightings.recordEvaluated(names, 'production');
    await sightings.recordEvaluated(names, 'no such environment');
    expect(writes).toBe(1);
    // A user archives and revives a flag.
    const params = { projectId: 'default', featureName: names[0] ?? '' };
    await call(`DELETE ${flag}`, params);
    await call('POST /api/admin/archive/revive/:featureName', params);
    await sightings.recordEvaluated(names, 'production');
    expect(writes).toBe(2);
  });
});
