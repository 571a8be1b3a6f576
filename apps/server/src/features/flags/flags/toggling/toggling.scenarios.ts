import { expect } from 'vitest';
import { addStrategy, givenArchived, givenEnabled, givenFlag, givenFlagIn, givenStrategy } from '#testing/flags.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const environmentPath = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const many = '/api/admin/projects/:projectId/bulk_features/environments/:environment' as const;
const off = { type: 'feature-environment-disabled', environment: 'development', data: null, preData: null } as const;
const on = { type: 'feature-environment-enabled', environment: 'development', data: null, preData: null } as const;

/** Returns the parameters and the body of a list request for a flag from `given`. */
const listed = (given: (server: TestServer) => Promise<{ featureName: string }>) => async (server: TestServer) => {
  const names = [(await given(server)).featureName, (await givenFlag(server)).featureName];
  return { params: { projectId: 'default', environment: 'development' }, body: { features: names } };
};

const single: readonly Scenario[] = [
  {
    route: `GET ${environmentPath}`,
    name: 'answers the state of a flag with its strategies',
    as: 'viewer',
    given: async (server) => ({ params: await givenStrategy(server) }),
    answer: {
      name: 'development',
      environment: 'development',
      type: 'development',
      enabled: false,
      sortOrder: 100,
      hasStrategies: true,
      hasEnabledStrategies: true,
      strategies: [{ name: 'default' }],
    },
  },
  {
    route: `POST ${environmentPath}/on`,
    name: 'adds a strategy for everyone to a flag without strategies',
    as: 'editor',
    given: async (server) => ({ params: await givenFlagIn(server) }),
    check: ({ json }) => {
      expect(json.environments[0]).toMatchObject({
        enabled: true,
        strategies: [
          {
            name: 'flexibleRollout',
            disabled: false,
            parameters: { rollout: '100', stickiness: 'default', groupId: json.name },
          },
        ],
      });
      expect(json.environments[1]).toMatchObject({ enabled: false, strategies: [] });
    },
    events: [
      {
        type: 'feature-strategy-add',
        project: 'default',
        environment: 'development',
        preData: null,
        data: {
          name: 'flexibleRollout',
          title: null,
          disabled: false,
          sortOrder: 0,
          constraints: [],
          variants: [],
          segments: [],
          parameters: { rollout: '100', stickiness: 'default' },
        },
      },
      on,
    ],
  },
  {
    route: `POST ${environmentPath}/on`,
    name: 'adds no strategy to a flag with an active strategy',
    given: async (server) => ({ params: await givenStrategy(server) }),
    events: [on],
  },
  {
    route: `POST ${environmentPath}/on`,
    name: 'adds a strategy to a flag with only disabled strategies',
    given: async (server) => ({ params: await givenStrategy(server, { name: 'default', disabled: true }) }),
    events: [{ type: 'feature-strategy-add', data: { name: 'flexibleRollout', sortOrder: 1 } }, on],
  },
  {
    route: `POST ${environmentPath}/on`,
    name: 'enables the disabled strategies with shouldActivateDisabledStrategies',
    given: async (server) => ({
      params: await givenStrategy(server, { name: 'default', disabled: true }),
      query: { shouldActivateDisabledStrategies: 'true' },
    }),
    answer: { environments: [{ strategies: [{ name: 'default', disabled: false }] }, {}] },
    events: [
      {
        type: 'feature-strategy-update',
        preData: { name: 'default', disabled: true },
        data: { name: 'default', disabled: false },
      },
      on,
    ],
  },
  ...refused(`POST ${environmentPath}/on`, 400, {
    'rejects an archived flag': async (server) => ({
      params: { ...(await givenArchived(server)), environment: 'development' },
    }),
  }),
  ...refusedTo('viewer', `POST ${environmentPath}/on`, 403, {
    'answers 403 to a viewer with the missing permission and the environment': async (server) => ({
      params: await givenFlagIn(server),
    }),
  }),
  {
    route: `POST ${environmentPath}/off`,
    name: 'switches a flag off and keeps its strategies',
    as: 'editor',
    given: async (server) => ({ params: await givenEnabled(server) }),
    answer: { environments: [{ enabled: false, strategies: [{ name: 'flexibleRollout' }] }, {}] },
    events: [off],
  },
];

const bulk: readonly Scenario[] = [
  {
    route: `POST ${many}/on`,
    name: 'switches on the flags that are off',
    given: async (server) => {
      const { params, body } = await listed(givenEnabled)(server);
      const strategic = await givenStrategy(server);
      return { params, body: { features: [...body.features, strategic.featureName] } };
    },
    events: [{ type: 'feature-strategy-add', data: { name: 'flexibleRollout' } }, on, on],
  },
  {
    route: `POST ${many}/on`,
    name: 'enables disabled strategies with shouldActivateDisabledStrategies, and adds a strategy to flags without any',
    given: async (server) => {
      const disabled = await givenStrategy(server, { name: 'default', disabled: true });
      await addStrategy(server, disabled, { name: 'default', disabled: true });
      const call = await listed(async () => disabled)(server);
      return { ...call, query: { shouldActivateDisabledStrategies: 'true' } };
    },
    events: [
      { type: 'feature-strategy-update', data: { disabled: false, sortOrder: 0 } },
      { type: 'feature-strategy-update', data: { disabled: false, sortOrder: 1 } },
      on,
      { type: 'feature-strategy-add' },
      on,
    ],
  },
  ...refused(`POST ${many}/on`, 400, {
    'switches no flag when one is archived': listed(givenArchived),
  }),
  ...refused(`POST ${many}/on`, 404, {
    'answers 404 for an unknown flag': listed(async () => ({ featureName: 'nowhere' })),
  }),
  {
    route: `POST ${many}/off`,
    name: 'switches off the flags that are on',
    given: listed(givenEnabled),
    events: [off],
  },
  ...refused(`POST ${many}/off`, 400, {
    'rejects more flags than one request may change': {
      params: { projectId: 'default', environment: 'development' },
      body: { features: Array.from({ length: 1001 }, (_, n) => `f${n}`) },
    },
  }),
];

export const stateScenarios: readonly Scenario[] = [...single, ...bulk];
