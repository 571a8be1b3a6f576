import { expect } from 'vitest';
import { givenArchived, givenFlag, givenFlagIn } from '#testing/flags.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
const variants = `${flag}/environments/:environment/variants` as const;
const batch = `${flag}/variants-batch` as const;

const full = [
  { name: 'a', weight: 0 },
  { name: 'b', weight: 0, weightType: 'variable', stickiness: 'userId' },
  {
    name: 'c',
    weight: 333,
    weightType: 'fix',
    payload: { type: 'json', value: '{"size":[1,2]}' },
    overrides: [{ contextName: 'userId', values: ['ann', 'bob'] }],
  },
];

/** {@link full} as stored: completed, weights distributed. */
const kept = [
  { name: 'a', weight: 334, weightType: 'variable', stickiness: 'default' },
  { name: 'b', weight: 333, weightType: 'variable', stickiness: 'userId' },
  { ...full[2], stickiness: 'default' },
];
const blue = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];

const inFlag = (body?: unknown) => async (server: TestServer) => ({ params: await givenFlagIn(server), body });

/** Creates a flag with {@link full} in development. */
const varied = (body?: unknown) => async (server: TestServer) => {
  const params = await givenFlagIn(server);
  await server.admin.call(`PUT ${variants}`, { params, body: full });
  return { params, body };
};

const inOneEnvironment: readonly Scenario[] = [
  {
    route: `GET ${variants}`,
    name: 'lists variants',
    as: 'viewer',
    given: varied(),
    check: ({ json }) => expect(json).toEqual({ version: 1, variants: kept }),
  },
  {
    route: `PUT ${variants}`,
    name: "sets a flag's variants with weights distributed",
    as: 'editor',
    given: inFlag(full),
    answer: { version: 1, variants: kept },
    events: [
      {
        type: 'feature-environment-variants-updated',
        project: 'default',
        environment: 'development',
        preData: { variants: [] },
        data: { variants: kept },
      },
    ],
  },
  {
    route: `PUT ${variants}`,
    name: 'removes all variants',
    given: varied([]),
    answer: { variants: [] },
    events: [{ type: 'feature-environment-variants-updated', preData: { variants: kept }, data: { variants: [] } }],
  },
  ...(
    [
      ['1.name', [blue[0], blue[0]]],
      ['', [{ ...blue[0], weightType: 'fix' }]],
      [
        '',
        [
          { ...blue[0], weightType: 'fix' },
          { name: 'b', weight: 1, weightType: 'fix' },
          { name: 'c', weight: 1 },
        ],
      ],
      ['0.payload.value', [{ ...blue[0], payload: { type: 'json', value: '{' } }]],
      ['0.weight', [{ ...blue[0], weight: 1001 }]],
    ] as const
  ).map(
    ([path, body], index): Scenario => ({
      route: `PUT ${variants}`,
      name: `rejects invalid variants (${index}) at ${path}`,
      given: inFlag(body),
      status: 400,
    }),
  ),
  ...refused(`PUT ${variants}`, 400, {
    'rejects an archived flag': async (server) => ({
      params: { ...(await givenArchived(server)), environment: 'development' },
      body: full,
    }),
  }),
  {
    route: `PATCH ${variants}`,
    name: 'applies a JSON Patch and distributes the weights again',
    as: 'editor',
    given: varied([{ op: 'remove', path: '/2' }]),
    answer: {
      variants: [
        { name: 'a', weight: 500 },
        { name: 'b', weight: 500 },
      ],
    },
    events: [{ type: 'feature-environment-variants-updated', environment: 'development' }],
  },
  ...[
    [{ op: 'remove', path: '/7' }],
    [{ op: 'replace', path: '/0/name', value: 'b' }],
    [{ op: 'add', path: '/0/colour', value: 'red' }],
    [{ op: 'replace', path: '', value: {} }],
  ].map(
    (body): Scenario => ({
      route: `PATCH ${variants}`,
      name: `rejects ${JSON.stringify(body)}`,
      given: varied(body),
      status: 400,
    }),
  ),
];

const inSeveralEnvironments: readonly Scenario[] = [
  {
    route: `PUT ${batch}`,
    name: "sets a flag's variants in several environments",
    as: 'editor',
    given: async (server) => ({
      params: await givenFlag(server),
      body: { variants: blue, environments: ['production', 'development', 'production'] },
    }),
    answer: { version: 1, variants: blue },
    events: [
      { type: 'feature-environment-variants-updated', environment: 'production', data: { variants: blue } },
      { type: 'feature-environment-variants-updated', environment: 'development', data: { variants: blue } },
    ],
  },
  ...refused(`PUT ${batch}`, 404, {
    'changes no environment when the flag is not in one of them': async (server) => ({
      params: await givenFlag(server),
      body: { variants: blue, environments: ['development', 'nowhere'] },
    }),
  }),
  ...refused(`PUT ${batch}`, 400, {
    'names the invalid variant': async (server) => ({
      params: await givenFlag(server),
      body: { variants: [blue[0], blue[0]], environments: ['development'] },
    }),
  }),
  ...refusedTo('viewer', `PUT ${batch}`, 403, {
    'answers 403 to a viewer with the missing permission and the environment': async (server) => ({
      params: await givenFlag(server),
      body: { variants: blue, environments: ['development'] },
    }),
  }),
  {
    route: `GET ${flag}`,
    name: "shows the flag's own variants in each environment",
    given: varied(),
    answer: {
      environments: [
        { name: 'development', variants: kept, variantCount: 3 },
        { name: 'production', variants: [], variantCount: 0 },
      ],
    },
  },
  {
    route: `POST ${flag}/clone`,
    name: 'copies variants to the clone',
    given: async (server) => {
      const { params } = await varied()(server);
      return { params, body: { name: `${params.featureName}-varied` } };
    },
    answer: { environments: [{ variants: kept }, { variants: [] }] },
    events: [
      { type: 'feature-created' },
      {
        type: 'feature-environment-variants-updated',
        environment: 'development',
        preData: { variants: [] },
        data: { variants: kept },
      },
    ],
  },
];

export const variantScenarios: readonly Scenario[] = [...inOneEnvironment, ...inSeveralEnvironments];
