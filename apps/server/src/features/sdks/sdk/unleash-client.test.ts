import { once } from 'node:events';
import { Unleash, type UnleashConfig, UnleashEvents } from 'unleash-client';
import { describe, expect, it } from 'vitest';
import { addStrategy, givenDependency, givenFlagIn, switchFlag } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const modes = [
  ['polling', { type: 'polling', format: 'full' }],
  ['polling deltas', { type: 'polling', format: 'delta' }],
  ['streaming', { type: 'streaming' }],
] as const;

const patience = () => ({ signal: AbortSignal.timeout(10_000) });

describe('the official SDK for Node', () => {
  const server = useServer();

  /** Starts an SDK that polls often. Resolves when it has synchronized. */
  async function startSdk(more: Partial<UnleashConfig> = {}): Promise<Unleash> {
    const { secret } = await givenToken(server());
    const unleash = new Unleash({
      url: `${server().url}/api/`,
      appName: 'a test',
      customHeaders: { authorization: secret },
      refreshInterval: 50,
      metricsInterval: 0,
      disableMetrics: true,
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
      ...more,
    });
    const errors: unknown[] = [];
    unleash.on(UnleashEvents.Error, (error) => errors.push(error));
    await once(unleash, UnleashEvents.Synchronized, patience());
    expect(errors).toEqual([]);
    return unleash;
  }

  it.each(modes)('evaluates a flag and receives its change: %s', async (_mode, experimentalMode) => {
    const params = await givenFlagIn(server());
    await switchFlag(server(), params, 'on');
    const unleash = await startSdk({ experimentalMode });
    expect(unleash.isEnabled(params.featureName)).toBe(true);
    expect(unleash.isEnabled('nothing')).toBe(false);

    const changed = once(unleash, UnleashEvents.Changed, patience());
    await switchFlag(server(), params, 'off');
    await changed;
    expect(unleash.isEnabled(params.featureName)).toBe(false);

    // A streaming SDK does not poll.
    if (experimentalMode.type === 'polling') await once(unleash, UnleashEvents.Unchanged, patience());
    unleash.destroy();
  });

  it('evaluates constraints and variants', async () => {
    const params = await givenFlagIn(server());
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies';
    await server().admin.call(route, {
      params,
      body: {
        name: 'flexibleRollout',
        parameters: { rollout: '100', stickiness: 'default', groupId: params.featureName },
        constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }],
        variants: [
          {
            name: 'blue',
            weight: 1000,
            weightType: 'variable',
            stickiness: 'default',
            payload: { type: 'string', value: '#00f' },
          },
        ],
      },
    });
    await switchFlag(server(), params, 'on');
    const unleash = await startSdk();
    expect(unleash.isEnabled(params.featureName, { userId: 'ann' })).toBe(true);
    expect(unleash.isEnabled(params.featureName, { userId: 'bob' })).toBe(false);
    expect(unleash.getVariant(params.featureName, { userId: 'ann' })).toMatchObject({
      name: 'blue',
      enabled: true,
      payload: { type: 'string', value: '#00f' },
    });
    unleash.destroy();
  });

  it.each(modes)('evaluates segments and receives their changes: %s', async (_mode, experimentalMode) => {
    const { id, name } = await givenSegment(server());
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, { name: 'default', segments: [id] });
    await switchFlag(server(), params, 'on');
    const unleash = await startSdk({ experimentalMode });
    const isOnIn = (country: string) => unleash.isEnabled(params.featureName, { properties: { country } });
    expect([isOnIn('NO'), isOnIn('SE')]).toEqual([true, false]);
    expect(unleash.getFeatureToggleDefinition(params.featureName)?.strategies?.[0]).toMatchObject({ segments: [id] });

    const changed = once(unleash, UnleashEvents.Changed, patience());
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['SE'] }];
    await server().admin.call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints } });
    await changed;
    expect([isOnIn('NO'), isOnIn('SE')]).toEqual([false, true]);
    unleash.destroy();
  });

  it('returns variants of the flag, and applies their overrides', async () => {
    const params = await givenFlagIn(server());
    const route = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants';
    const overrides = [{ contextName: 'userId', values: ['ann'] }];
    const variants = [
      { name: 'usual', weight: 1000 },
      { name: 'special', weight: 0, weightType: 'fix', overrides },
    ];
    expect((await server().admin.call(route, { params, body: variants })).status).toBe(200);
    await switchFlag(server(), params, 'on');
    const unleash = await startSdk();
    expect(unleash.getVariant(params.featureName, { userId: 'ann' })).toMatchObject({ name: 'special', enabled: true });
    expect(unleash.getVariant(params.featureName, { userId: 'bob' })).toMatchObject({ name: 'usual', enabled: true });
    unleash.destroy();
  });

  it('evaluates a flag as off while its dependency is not met', async () => {
    const { projectId, featureName, parent } = await givenDependency(server());
    const environment = 'development';
    await switchFlag(server(), { projectId, featureName, environment }, 'on');
    const unleash = await startSdk();
    expect(unleash.isEnabled(featureName)).toBe(false);

    const changed = once(unleash, UnleashEvents.Changed, patience());
    await switchFlag(server(), { projectId, featureName: parent, environment }, 'on');
    await changed;
    expect(unleash.isEnabled(featureName)).toBe(true);
    unleash.destroy();
  });

  it('registers, and its counts are stored', async () => {
    const params = await givenFlagIn(server());
    await switchFlag(server(), params, 'on');
    const warnings: unknown[] = [];
    const unleash = await startSdk({ disableMetrics: false, metricsInterval: 60_000, appName: 'counting' });
    unleash.on(UnleashEvents.Warn, (warning) => warnings.push(warning));
    unleash.isEnabled(params.featureName);
    unleash.isEnabled(params.featureName);
    const sent = once(unleash, UnleashEvents.Sent, patience());
    await unleash.flushMetrics();
    await sent;
    unleash.destroy();
    const { db } = server().app.database;
    const counted = () =>
      db
        .selectFrom('client_metrics')
        .select(['app_name', 'environment', 'yes', 'no'])
        .where('feature_name', '=', params.featureName)
        .execute();
    await expect
      .poll(counted, { timeout: 8000 })
      .toEqual([{ app_name: 'counting', environment: 'development', yes: 2, no: 0 }]);
    const instances = () =>
      db.selectFrom('application_instances').select('sdk_version').where('app_name', '=', 'counting').execute();
    await expect
      .poll(instances, { timeout: 8000 })
      .toEqual([{ sdk_version: expect.stringMatching(/^unleash-node-sdk:/) }]);
    expect(warnings).toEqual([]);
  });

  it('gets 403 with a frontend token', async () => {
    const { secret } = await givenToken(server(), { type: 'frontend' });
    const unleash = new Unleash({
      url: `${server().url}/api/`,
      appName: 'wrong token',
      customHeaders: { authorization: secret },
      disableMetrics: true,
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
    });
    const [error] = await once(unleash, UnleashEvents.Error, patience());
    expect(String(error)).toContain('403');
    unleash.destroy();
  });
});
