import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '#testing/client.ts';
import { addStrategy, type FlagEnvironmentParams, givenFlag, givenProject, switchFlag } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';

const server = useServer();
const times = 20;

/** Contexts without an id, as a body and as a query. The fields are standard ones, also among the properties. */
const contexts: Readonly<Record<string, readonly [body: object, query: Readonly<Record<string, string>>]>> = {
  'no id': [{}, {}],
  'empty ids': [
    { userId: '', sessionId: '' },
    { userId: '', sessionId: '' },
  ],
  'blank ids': [
    { userId: ' ', sessionId: '\t' },
    { userId: ' ', sessionId: ' ' },
  ],
  'ids that are null': [{ userId: null, sessionId: null }, {}],
  'empty ids among the properties': [
    { properties: { userId: '', sessionId: '' } },
    { 'properties[userId]': '', 'properties[sessionId]': '' },
  ],
  'all standard fields empty': [
    { userId: '', sessionId: '', remoteAddress: '', environment: '', currentTime: '' },
    { appName: '', userId: '', sessionId: '', remoteAddress: '', environment: '', currentTime: '' },
  ],
};

type States = ReadonlyMap<string, boolean>;

describe('a request whose context has no id', () => {
  let flags: { readonly a: string; readonly b: string; readonly parent: string; readonly child: string };
  let inEnvironment: FlagEnvironmentParams;
  let frontend: ApiClient;
  let projectId: string;

  beforeAll(async () => {
    projectId = await givenProject(server());
    frontend = await givenSdk(server(), { type: 'frontend', projects: [projectId] });
    const half = (stickiness: string) => ({
      name: 'flexibleRollout',
      parameters: { rollout: '50', stickiness, groupId: 'half' },
    });
    const on = async (strategy: object): Promise<FlagEnvironmentParams> => {
      const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'development' };
      await addStrategy(server(), params, strategy);
      await switchFlag(server(), params, 'on');
      return params;
    };
    const [a, b, parent, child] = [
      await on(half('default')),
      await on(half('sessionId')),
      await on(half('default')),
      await on({ name: 'default' }),
    ];
    inEnvironment = await on({
      name: 'default',
      constraints: [{ contextName: 'environment', operator: 'IN', values: ['development'] }],
    });
    const dependencies = 'POST /api/admin/projects/:projectId/features/:featureName/dependencies';
    const dependency = { params: child, body: { feature: parent.featureName } };
    expect((await server().admin.call(dependencies, dependency)).status).toBe(200);
    flags = { a: a.featureName, b: b.featureName, parent: parent.featureName, child: child.featureName };
  });

  const named = (list: readonly { readonly name: string; readonly enabled?: boolean }[]): States =>
    new Map(list.map(({ name, enabled = true }) => [name, enabled]));

  /** The ways in which a context arrives. */
  const ways: Readonly<Record<string, (name: string) => Promise<States>>> = {
    'GET /api/frontend': async (name) => {
      const query = contexts[name]?.[1] ?? {};
      return named((await frontend.call('GET /api/frontend', { query })).json.toggles);
    },
    'POST /api/frontend': async (name) =>
      named((await frontend.call('POST /api/frontend', { body: { context: contexts[name]?.[0] } })).json.toggles),
    'OFREP bulk': async (name) => {
      const { properties, ...fields } = { properties: {}, ...contexts[name]?.[0] };
      const body = { context: { targetingKey: '', ...properties, ...fields } };
      const { json } = await frontend.call('POST /ofrep/v1/evaluate/flags', { body });
      return new Map(json.flags.map(({ key, value }: { key: string; value: boolean }) => [key, value]));
    },
    playground: async (name) => {
      const context = { ...contexts[name]?.[0], appName: 'shop' };
      const body = { environment: 'development', projects: [projectId], context };
      const { json } = await server().admin.call('POST /api/admin/playground', { body });
      return new Map(json.features.map((flag: { name: string; isEnabled: boolean }) => [flag.name, flag.isEnabled]));
    },
    'advanced playground': async (name) => {
      const context = { ...contexts[name]?.[0], appName: 'shop' };
      const body = { environments: ['development'], projects: [projectId], context };
      const { json } = await server().admin.call('POST /api/admin/playground/advanced', { body });
      return new Map(
        json.features.map((flag: { name: string; environments: Record<string, { isEnabled: boolean }[]> }) => [
          flag.name,
          flag.environments['development']?.[0]?.isEnabled ?? false,
        ]),
      );
    },
  };

  describe.each(Object.keys(ways))('%s', (way) => {
    it.each(Object.keys(contexts))('is evaluated as one user: %s', async (name) => {
      const seen = new Set<boolean>();
      for (let n = 0; n < times; n++) {
        const states = await (ways[way] as (name: string) => Promise<States>)(name);
        const on = (flag: string) => states.get(flag) ?? false;
        expect([on(flags.b), on(flags.child)]).toEqual([on(flags.a), on(flags.parent)]);
        expect(on(inEnvironment.featureName)).toBe(true);
        seen.add(on(flags.a));
      }
      // Requests differ: twenty equal results in a row have a probability of 2^-19.
      expect(seen.size).toBe(2);
    });
  });
});
