import { once } from 'node:events';
import { Unleash, UnleashEvents } from 'unleash-client';
import { describe, expect, it } from 'vitest';
import { freshName, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const importing = 'POST /api/admin/features-batch/import';
const validating = 'POST /api/admin/features-batch/validate';

/** Files of flags in older formats than the current export. */
describe('a file in an older format', () => {
  const server = useServer();

  async function bring(data: object, environment = 'development') {
    const project = await givenProject(server());
    const reply = await server().admin.call(importing, { body: { project, environment, data } });
    expect(`${reply.status} ${reply.text}`.trim()).toBe('200');
    return project;
  }

  async function exportOf(project: string, environment = 'development') {
    const body = { project, environment, downloadFile: false };
    return (await server().admin.call('POST /api/admin/features-batch/export', { body })).json;
  }

  async function startSdk(project: string) {
    const { secret } = await givenToken(server(), { projects: [project] });
    const unleash = new Unleash({
      url: `${server().url}/api/`,
      appName: 'moved',
      customHeaders: { authorization: secret },
      disableMetrics: true,
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
    });
    await once(unleash, UnleashEvents.Synchronized, { signal: AbortSignal.timeout(10_000) });
    return unleash;
  }

  it('with strategies inside flags is imported, and SDKs evaluate it', async () => {
    const [on, off, some] = ['on', 'off', 'some'].map(freshName) as [string, string, string];
    const colours = [
      { name: 'red', weight: 0, weightType: 'fix' },
      { name: 'blue', weight: 1000 },
    ];
    const project = await bring({
      version: 1,
      features: [
        { name: on, enabled: true, strategies: [{ name: 'default' }], createdAt: '2023-05-03T11:50:00.756Z' },
        { name: off, enabled: false, strategies: [{ name: 'default', parameters: {} }] },
        {
          name: some,
          type: 'permission',
          project: 'default',
          enabled: true,
          stale: false,
          strategies: [
            {
              name: 'flexibleRollout',
              parameters: { rollout: 100, stickiness: 'userId' },
              constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
            },
          ],
          variants: colours,
        },
      ],
    });
    const { featureStrategies, featureEnvironments } = await exportOf(project);
    expect(featureStrategies).toHaveLength(3);
    expect(featureEnvironments).toMatchObject([
      { featureName: off, enabled: false },
      { featureName: on, enabled: true, variants: [] },
      { featureName: some, enabled: true, variants: [{ name: 'red' }, { name: 'blue' }] },
    ]);
    const unleash = await startSdk(project);
    expect([unleash.isEnabled(on), unleash.isEnabled(off)]).toEqual([true, false]);
    expect([unleash.isEnabled(some, { userId: '7' }), unleash.isEnabled(some, { userId: '8' })]).toEqual([true, false]);
    expect(unleash.getVariant(some, { userId: '7' })).toMatchObject({ name: 'blue', enabled: true });
    unleash.destroy();
  });

  it('creates its custom strategies and does not change existing ones', async () => {
    const [flag, strategy] = [freshName('flag'), freshName('by-organization')];
    const data = {
      version: 3,
      features: [{ name: flag, enabled: true, strategies: [{ name: strategy, parameters: { ids: '1,2' } }] }],
      strategies: [
        {
          name: strategy,
          description: 'Of an organization',
          parameters: [{ name: 'ids', type: 'list', required: true }],
        },
        { name: 'default', description: 'On for everyone', parameters: [] },
      ],
    };
    const project = await bring(data);
    const params = { name: strategy };
    const { json } = await server().admin.call('GET /api/admin/strategies/:name', { params });
    expect(json).toMatchObject({ description: 'Of an organization', editable: true, parameters: [{ name: 'ids' }] });
    const again = await server().admin.call(validating, { body: { project, environment: 'development', data } });
    expect(again.json).toMatchObject({ errors: [], changes: [] });
    expect(JSON.stringify(again.json.warnings)).toContain(strategy);
  });

  it('with several environments is imported one environment at a time', async () => {
    const name = freshName('flag');
    const inIt = (environment: string, rollout: string) => ({
      featureName: name,
      projectId: 'default',
      environment,
      strategyName: 'flexibleRollout',
      parameters: { rollout },
      constraints: [],
    });
    const data = {
      version: 4,
      features: [{ name, variants: [] }],
      featureStrategies: [inIt('development', '100'), inIt('production', '5')],
      featureEnvironments: [
        { featureName: name, environment: 'development', enabled: true },
        { featureName: name, environment: 'production', enabled: false },
      ],
    };
    const project = await bring(data, 'production');
    expect((await exportOf(project)).featureStrategies).toEqual([]);
    const of = async (environment: string) => {
      const { featureStrategies, featureEnvironments } = await exportOf(project, environment);
      return [
        featureEnvironments[0].enabled,
        featureStrategies.map((strategy: typeof featureStrategies) => strategy.parameters.rollout),
      ];
    };
    expect(await of('production')).toEqual([false, ['5']]);
    const body = { project, environment: 'development', data };
    const { json } = await server().admin.call(validating, { body });
    expect(json.warnings).toContainEqual({
      message: expect.stringContaining('only the environment development of the file'),
      affectedItems: ['production'],
    });
    expect((await server().admin.call(importing, { body })).status).toBe(200);
    expect([await of('development'), await of('production')]).toEqual([
      [true, ['100']],
      [false, ['5']],
    ]);
  });

  it('with several environments, but not the requested one, is refused', async () => {
    const name = freshName('flag');
    const environments = [{ name: 'qa', enabled: true, strategies: [{ name: 'default' }] }, { name: 'live' }];
    const body = { project: 'default', environment: 'development', data: { features: [{ name, environments }] } };
    const { status, json } = await server().admin.call(importing, { body });
    expect([status, json.message]).toEqual([400, expect.stringMatching(/qa, live: .*development is not among them/)]);
    const withOneEnvironment = { features: [{ name, environments: environments.slice(0, 1) }] };
    expect((await exportOf(await bring(withOneEnvironment))).featureEnvironments).toMatchObject([{ enabled: true }]);
  });

  it('with dependencies in the format of SDKs is imported', async () => {
    const [child, parent] = [freshName('child'), freshName('parent')];
    const project = await bring({
      version: 2,
      features: [
        {
          name: child,
          enabled: true,
          strategies: [{ name: 'default', segments: [4] }],
          dependencies: [{ feature: parent, enabled: false }],
        },
        { name: parent, enabled: false, strategies: [] },
      ],
      segments: [
        { id: 4, name: freshName('segment'), constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }] },
      ],
      query: { environment: 'development' },
    });
    const unleash = await startSdk(project);
    expect([unleash.isEnabled(child, { userId: '7' }), unleash.isEnabled(child, { userId: '8' })]).toEqual([
      true,
      false,
    ]);
    unleash.destroy();
  });

  it('with strategies in several places imports each once', async () => {
    const [both, nested] = [freshName('both'), freshName('nested')];
    const strategies = [{ name: 'default' }];
    const environments = [{ name: 'development', enabled: true, strategies: [{ name: 'userWithId' }] }];
    const project = await bring({
      features: [
        { name: both, strategies },
        { name: nested, strategies, environments },
      ],
      featureStrategies: [{ featureName: both, name: 'flexibleRollout', environment: 'development' }],
    });
    const { featureStrategies } = await exportOf(project);
    expect(
      featureStrategies.map((strategy: typeof featureStrategies) => [strategy.featureName, strategy.name]),
    ).toEqual([
      [both, 'flexibleRollout'],
      [nested, 'userWithId'],
    ]);
  });

  it('reports the parts that are left out', async () => {
    const [kept, gone, foreign] = ['kept', 'gone', 'foreign'].map(freshName) as [string, string, string];
    const data = {
      features: [
        { name: kept, project: 'a' },
        { name: gone, project: 'b', archived: true },
      ],
      featureStrategies: [gone, foreign].map((featureName) => ({ featureName, name: 'default' })),
    };
    const body = { project: 'default', environment: 'development', data };
    const { json } = await server().admin.call(validating, { body });
    expect(json.changes).toMatchObject([{ type: 'feature-created', name: kept }]);
    expect(json.warnings).toEqual([
      { message: expect.stringContaining('archived in the file'), affectedItems: [gone] },
      { message: expect.stringContaining('flags that the file does not contain'), affectedItems: [foreign] },
    ]);
  });

  it('is refused when its list of segments cannot be read', async () => {
    const data = { features: [], featureStrategySegments: [{ anything: 1 }] };
    const body = { project: 'default', environment: 'development', data };
    const { status, json } = await server().admin.call(importing, { body });
    expect([status, json.details[0].path]).toEqual([400, expect.stringContaining('featureStrategySegments')]);
  });
});

describe('where custom strategies cannot be created', () => {
  const server = useServer({ disableCustomStrategyCreation: true });

  it('a file with a custom strategy is refused', async () => {
    const data = { features: [], strategies: [{ name: 'by-moon' }] };
    const body = { project: 'default', environment: 'development', data };
    const { status, json } = await server().admin.call(importing, { body });
    expect([status, json.message]).toEqual([400, expect.stringMatching(/by-moon: .*is disabled/)]);
  });
});
