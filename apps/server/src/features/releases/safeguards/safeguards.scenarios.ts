import { givenEnabled } from '#testing/flags.ts';
import { metricNamed, reportMetrics } from '#testing/impact-metrics.ts';
import { givenPlan } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const place = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const ofFlag = `${place}/safeguards` as const;
const ofPlan = `${place}/release-plans/:planId/safeguards` as const;

/** Reports a counter, and returns its name. */
async function givenMetric(server: TestServer): Promise<string> {
  const name = metricNamed('errors_total');
  await reportMetrics(server, [{ name, samples: [{ value: 1 }] }], 'development');
  return `unleash_counter_${name}`;
}

const withBody = async (server: TestServer) => ({
  params: (await givenPlan(server)).params,
  body: moreThan(10, await givenMetric(server)),
});

async function givenSafeguard(server: TestServer, owner: 'flag' | 'plan') {
  const params = owner === 'flag' ? await givenEnabled(server) : (await givenPlan(server)).params;
  await setSafeguard(server, params, moreThan(10, await givenMetric(server)));
  const [{ id }] = await safeguardsOf(server, params);
  return { params: { planId: 'none', ...params, safeguardId: id as string } };
}

export const safeguardScenarios: readonly Scenario[] = [
  {
    route: `PUT ${ofPlan}`,
    name: 'adds a safeguard of a plan',
    given: withBody,
    as: 'editor',
    events: [
      {
        type: 'safeguard-changed',
        environment: 'development',
        data: { action: { type: 'pauseReleasePlanProgressions' }, triggerCondition: { operator: '>', threshold: 10 } },
        preData: null,
      },
    ],
  },
  {
    route: `PUT ${ofPlan}`,
    name: 'replaces the safeguard with the same metric',
    given: async (server) => {
      const { params, body } = await withBody(server);
      await setSafeguard(server, params, body);
      return { params, body: { ...body, triggerCondition: { operator: '>', threshold: 20 } } };
    },
    events: [
      {
        type: 'safeguard-changed',
        data: { triggerCondition: { threshold: 20 } },
        preData: { triggerCondition: { threshold: 10 } },
      },
    ],
  },
  {
    route: `PUT ${ofFlag}`,
    name: 'replaces the safeguard with the same labels in another order',
    given: async (server) => {
      const params = await givenEnabled(server);
      const metric = await givenMetric(server);
      const [environment, appName] = [['development'], ['shop']];
      await setSafeguard(server, params, moreThan(10, metric, { labelSelectors: { environment, appName } }));
      return { params, body: moreThan(20, metric, { labelSelectors: { appName, environment } }) };
    },
    events: [{ type: 'safeguard-changed', preData: { triggerCondition: { threshold: 10 } } }],
  },
  {
    route: `PUT ${ofFlag}`,
    name: 'records no event when only the order of the labels differs',
    given: async (server) => {
      const params = await givenEnabled(server);
      const metric = await givenMetric(server);
      const [environment, appName] = [['development'], ['shop']];
      await setSafeguard(server, params, moreThan(10, metric, { labelSelectors: { environment, appName } }));
      return { params, body: moreThan(10, metric, { labelSelectors: { appName, environment } }) };
    },
  },
  {
    route: `PUT ${ofFlag}`,
    name: 'adds a safeguard that switches the flag off',
    given: withBody,
    as: 'editor',
    events: [{ type: 'safeguard-changed', data: { action: { type: 'disableFeatureEnvironment' } } }],
  },
  {
    route: `PUT ${ofFlag}`,
    name: 'accepts a metric that no SDK has reported yet',
    given: async (server) => ({
      params: await givenEnabled(server),
      body: moreThan(10, 'unleash_counter_not_deployed_yet'),
    }),
    events: [{ type: 'safeguard-changed' }],
  },
  ...refused(`PUT ${ofFlag}`, 400, {
    'answers 400 for an aggregation that does not fit the name of a metric that no SDK has reported yet': async (
      server,
    ) => ({
      params: await givenEnabled(server),
      body: moreThan(10, 'unleash_counter_not_deployed_yet', { aggregationMode: 'p95' }),
    }),
    'answers 400 for a name that no impact metric has': async (server) => ({
      params: await givenEnabled(server),
      body: moreThan(10, 'errors_total'),
    }),
    'answers 400 for an aggregation that does not fit the metric': async (server) => ({
      params: await givenEnabled(server),
      body: moreThan(10, await givenMetric(server), { aggregationMode: 'p95' }),
    }),
  }),
  {
    route: `GET ${ofFlag}`,
    name: 'lists the safeguards of the plan and the flag, with what was seen',
    given: async (server) => {
      const { params, body } = await withBody(server);
      await setSafeguard(server, params, body);
      const { planId: _, ...flag } = params;
      await setSafeguard(server, flag, body);
      return { params };
    },
    as: 'viewer',
    answer: {
      safeguards: [
        { action: { type: 'pauseReleasePlanProgressions' }, status: { state: 'no-data', value: null } },
        { action: { type: 'disableFeatureEnvironment' } },
      ],
    },
  },
  {
    route: `DELETE ${ofFlag}/:safeguardId`,
    name: 'deletes a safeguard of a flag',
    given: (server) => givenSafeguard(server, 'flag'),
    as: 'editor',
    events: [{ type: 'safeguard-deleted', preData: { action: { type: 'disableFeatureEnvironment' } } }],
  },
  ...refused(`DELETE ${ofFlag}/:safeguardId`, 404, {
    'answers 404 for a safeguard of the plan': (server) => givenSafeguard(server, 'plan'),
  }),
  {
    route: `DELETE ${ofPlan}/:safeguardId`,
    name: 'deletes a safeguard of a plan',
    given: (server) => givenSafeguard(server, 'plan'),
    as: 'editor',
    events: [{ type: 'safeguard-deleted' }],
  },
];
