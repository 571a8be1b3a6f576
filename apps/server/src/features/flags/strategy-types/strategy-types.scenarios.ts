import { expect } from 'vitest';
import { freshName, givenDefinition, givenFlagIn, givenStrategy } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const strategies = '/api/admin/strategies' as const;
const typePath = `${strategies}/:name` as const;
const builtIn = { params: { name: 'default', strategyName: 'default' } };
const parameters = [{ name: 'companies', type: 'list' }];
const custom = async (server: TestServer) => ({ params: await givenDefinition(server) });

const read: readonly Scenario[] = [
  {
    route: `GET ${strategies}`,
    name: 'lists built-in strategies, then custom ones',
    as: 'viewer',
    given: custom,
    check: ({ json }) => {
      expect(json.version).toBe(1);
      const [known, created] = [true, false].map((isKnown) =>
        json.strategies.slice(...(isKnown ? [0, 8] : [8])).map(({ editable }: { editable: boolean }) => editable),
      );
      expect(new Set(known)).toEqual(new Set([false]));
      expect(new Set(created)).toEqual(new Set([true]));
      expect(
        json.strategies
          .slice(0, 8)
          .map(({ name }: { name: string }) => name)
          .toSorted(),
      ).toEqual([
        'applicationHostname',
        'default',
        'flexibleRollout',
        'gradualRolloutRandom',
        'gradualRolloutSessionId',
        'gradualRolloutUserId',
        'remoteAddress',
        'userWithId',
      ]);
      expect(json.strategies[1]).toMatchObject({
        name: 'flexibleRollout',
        displayName: 'Gradual rollout',
        editable: false,
        deprecated: false,
        parameters: [{ name: 'rollout', type: 'percentage' }, { name: 'stickiness' }, { name: 'groupId' }],
      });
    },
  },
  {
    route: `GET ${typePath}`,
    name: 'shows a strategy',
    as: 'viewer',
    given: custom,
    answer: { title: null, displayName: null, description: '', editable: true, parameters },
  },
];

const create: readonly Scenario[] = [
  {
    route: `POST ${strategies}`,
    name: 'creates a strategy',
    as: 'editor',
    call: {
      body: { name: 'By company 🏢', title: 'Companies', description: 'Who pays.', editable: false, parameters },
    },
    answer: { name: 'By company 🏢', title: 'Companies', editable: true, deprecated: false, parameters },
    check: ({ headers }) => expect(headers.get('location')).toBe('strategies/By%20company%20%F0%9F%8F%A2'),
    events: [
      {
        type: 'strategy-created',
        preData: null,
        data: {
          name: 'By company 🏢',
          description: 'Who pays.',
          editable: true,
          deprecated: false,
          parameters: [{ name: 'companies', type: 'list', description: '', required: false }],
        },
      },
    ],
  },
  ...refused(`POST ${strategies}`, 409, {
    'answers 409 for the name of a built-in strategy': { body: { name: 'default', parameters: [] } },
  }),
  ...[
    { name: 'of no type', parameters: [{ name: 'a', type: 'colour' }] },
    { name: 'twice', parameters: [...parameters, ...parameters] },
  ].map(
    (body): Scenario => ({
      route: `POST ${strategies}`,
      name: `refuses ${JSON.stringify(body)}`,
      call: { body },
      status: 400,
    }),
  ),
  ...refused('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies', 400, {
    'checks the percentages of a flag that uses the strategy': async (server) => ({
      params: await givenFlagIn(server),
      body: {
        name: (await givenDefinition(server, [{ name: 'share', type: 'percentage' }])).name,
        parameters: { share: '101' },
      },
    }),
  }),
];

const change: readonly Scenario[] = [
  {
    route: `PUT ${typePath}`,
    name: 'changes a strategy',
    as: 'editor',
    given: async (server) => ({ ...(await custom(server)), body: { description: 'new', parameters: [] } }),
    events: [
      {
        type: 'strategy-updated',
        preData: { description: '', parameters },
        data: { description: 'new', parameters: [] },
      },
    ],
  },
  {
    route: `PUT ${typePath}`,
    name: 'changes the title',
    given: async (server) => ({ ...(await custom(server)), body: { title: 'Companies', parameters } }),
    events: [{ type: 'strategy-updated', preData: { title: null }, data: { title: 'Companies', parameters } }],
  },
  {
    route: `PUT ${typePath}`,
    name: 'keeps a title that the request does not have, and removes it by null',
    given: async (server) => {
      const given = await custom(server);
      for (const more of [{ title: 'Companies' }, { description: 'new' }])
        await server.admin.call(`PUT ${typePath}`, { ...given, body: { parameters, ...more } });
      return { ...given, body: { title: null, parameters } };
    },
    events: [{ type: 'strategy-updated', preData: { title: 'Companies' }, data: { title: null } }],
  },
  ...refused(`PUT ${typePath}`, 403, {
    'answers 403 for a built-in strategy': { ...builtIn, body: { parameters: [] } },
  }),
  {
    route: `DELETE ${typePath}`,
    name: 'deletes a strategy',
    as: 'editor',
    given: custom,
    events: [{ type: 'strategy-deleted', data: { name: expect.any(String) as string }, preData: { parameters } }],
  },
  ...refused(`DELETE ${typePath}`, 403, {
    'answers 403 while a flag uses the strategy': async (server) => {
      const params = await givenDefinition(server);
      await givenStrategy(server, { name: params.name });
      return { params };
    },
    'answers 403 for a built-in strategy': builtIn,
  }),
  {
    route: `POST ${strategies}/:strategyName/deprecate`,
    name: 'deprecates a strategy',
    as: 'editor',
    given: custom,
    events: [{ type: 'strategy-deprecated', data: { name: expect.any(String) as string }, preData: null }],
  },
  {
    route: `POST ${strategies}/:strategyName/reactivate`,
    name: 'reactivates a strategy',
    as: 'editor',
    given: async (server) => {
      const name = freshName('deprecated');
      await server.admin.call(`POST ${strategies}`, { body: { name, deprecated: true, parameters: [] } });
      return { params: { strategyName: name } };
    },
    events: [{ type: 'strategy-reactivated', data: { name: expect.any(String) as string }, preData: null }],
  },
];

export const strategyTypeScenarios: readonly Scenario[] = [...read, ...create, ...change];
