import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const stream = 'GET /api/replica/stream';
const reports = 'POST /api/replica/reports';

async function withToken(server: TestServer, body: object = {}): Promise<Call> {
  const { secret } = await givenToken(server, { type: 'replica', environment: '*', ...body });
  return { headers: { authorization: secret } };
}

const place = { environment: 'development', projects: ['*'] };
const hour = 1_774_933_200_000;
const report = {
  replica: '0c0ffee0-52a6-4c5c-9f0a-0d4e2f7c9a11',
  sequence: 1,
  instances: [
    {
      ...{ ...place, appName: 'behind a replica', instanceId: 'one', sdkVersion: 'unleash-node-sdk:6.12.1' },
      ...{ sdkType: 'backend', startedAt: hour, strategies: ['default'], seenAt: hour, address: null },
    },
  ],
  counts: [{ ...place, featureName: 'checkout', appName: 'behind a replica', hour, yes: 2, no: 1, variants: {} }],
  samples: [],
  tokens: [],
};

export const replicationScenarios: readonly Scenario[] = [
  {
    route: stream,
    name: 'sends the whole state in the first message',
    as: 'anonymous',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenFlag(server, { name: 'replicated' }, projectId);
      return { ...(await withToken(server, { projects: [projectId] })), query: { protocol: '1' } };
    },
    check: ({ text }) =>
      expect(text).toMatch(/^id: \d+:[0-9a-f]+\nevent: state\ndata: \{"protocol":1,.*"name":"replicated"/),
  },
  ...refusedTo('anonymous', stream, 400, {
    'answers 400 to a replica of another protocol': async (server) => ({
      ...(await withToken(server)),
      query: { protocol: '2' },
    }),
  }),
  {
    route: reports,
    name: 'stores what SDKs have reported to a replica',
    as: 'anonymous',
    given: async (server) => ({ ...(await withToken(server)), body: report }),
    check: (_reply, server) => server.app.service.usage.flush(),
    events: [{ type: 'application-created', data: { appName: 'behind a replica', strategies: ['default'] } }],
  },
  ...refusedTo('anonymous', reports, 400, {
    'answers 400 to what is outside the scope of the replica': async (server) => ({
      ...(await withToken(server, { environment: 'production' })),
      body: { ...report, sequence: 2 },
    }),
    'answers 400 to a value whose label names another environment': async (server) => {
      const series = {
        metricName: 'errors',
        type: 'counter',
        help: '',
        part: '',
        labels: { environment: 'production' },
      };
      const samples = [{ ...place, ...series, minute: hour, value: 1 }];
      return { ...(await withToken(server)), body: { ...report, sequence: 3, samples } };
    },
  }),
];
