import { expect } from 'vitest';
import { freshName, givenFlag } from '#testing/flags.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';

const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';

/** Returns an installation with every kind of entity, and a state that creates a project in its new environment. */
function everything(more: object = {}) {
  const [environment, strategy, project, user] = ['env', 'strategy', 'project', 'user'].map(freshName) as [
    string,
    string,
    string,
    string,
  ];
  const token = { tokenName: freshName('token'), type: 'backend', environment, projects: [project] };
  return {
    state: { version: 1, projects: { [project]: { environments: [environment] } } },
    installation: {
      environments: [{ name: environment, type: 'test', enabled: false, sortOrder: 7 }],
      strategies: [{ name: strategy, parameters: [{ name: 'ids', type: 'list' }] }],
      tags: [{ type: 'simple', value: freshName('tag') }],
      users: [{ username: user, email: `${user}@example.com`, name: 'Ada', rootRole: 'Editor' }],
      apiTokens: [token, token],
      ...more,
    },
  };
}

export const installationScenarios: readonly Scenario[] = [
  {
    route: apply,
    name: 'creates environments, custom strategies, tags, users and API tokens, and returns the secrets of the tokens',
    given: async () => ({ body: everything() }),
    events: [
      { type: 'environment-created', data: { type: 'test', enabled: false, sortOrder: 7 } },
      { type: 'project-created' },
      { type: 'strategy-created', data: { parameters: [{ name: 'ids', type: 'list' }] } },
      { type: 'tag-created', data: { type: 'simple' } },
      { type: 'user-created', data: { rootRole: 2, name: 'Ada' } },
      { type: 'api-token-created', data: { type: 'backend' } },
      { type: 'api-token-created', data: { type: 'backend' } },
    ],
    check: async ({ json }, server) => {
      expect(json.skipped).toEqual([]);
      const secrets = json.apiTokens.map(({ secret }: { secret: string }) => secret);
      expect(new Set(secrets).size).toBe(2);
      for (const secret of secrets)
        expect((await server.client(secret).call('GET /api/client/features')).status).toBe(200);
      const kinds = json.changes.map(({ kind }: { kind: string }) => kind);
      expect(kinds).toEqual(['environment', 'project', 'strategy', 'tag', 'user', 'api-token', 'api-token']);
      expect(JSON.stringify(json.changes)).not.toContain(secrets[0]);
    },
  },
  {
    route: plan,
    name: 'changes nothing for an existing installation',
    given: async (server) => {
      const body = everything();
      expect((await server.admin.call(apply, { body })).status).toBe(200);
      return { body };
    },
    answer: { changes: [], errors: [], skipped: [] },
  },
  {
    route: plan,
    name: 'reports users that cannot be created, and plans the others',
    given: async () => {
      const name = freshName('person');
      const users = [
        { username: name, rootRole: 'Viewer' },
        { username: name.toUpperCase().replace('O', '0'), rootRole: 'Viewer' },
        { username: freshName('other'), rootRole: 'Emperor' },
      ];
      return { body: { state: { version: 1 }, installation: { users } } };
    },
    check: ({ json }) => {
      expect(json.changes).toMatchObject([{ type: 'user-created', kind: 'user' }]);
      expect(json.skipped).toEqual([
        { message: expect.stringContaining('looks like the name'), names: [expect.stringMatching(/^PERS0N/)] },
        { message: expect.stringContaining('rootRole must be'), names: [expect.stringMatching(/^other/)] },
      ]);
    },
  },
  {
    route: plan,
    name: 'reports users that are listed twice in other letters, planned and existing ones',
    given: async (server) => {
      const [present, fresh] = [freshName('present'), freshName('fresh')];
      const users = [present, fresh].flatMap((name) => [
        { username: name, rootRole: 'Viewer' },
        { username: name.toUpperCase(), rootRole: 'Viewer' },
      ]);
      const first = { state: { version: 1 }, installation: { users: users.slice(0, 1) } };
      expect((await server.admin.call(apply, { body: first })).status).toBe(200);
      return { body: { state: { version: 1 }, installation: { users } } };
    },
    check: ({ json }) => {
      expect(json.changes).toMatchObject([{ name: expect.stringMatching(/^fresh/) }]);
      expect(json.skipped).toEqual([
        {
          message: expect.stringContaining('that of another listed user'),
          names: [expect.stringMatching(/^PRESENT/), expect.stringMatching(/^FRESH/)],
        },
      ]);
    },
  },
  {
    route: plan,
    name: 'tells other callers than administrators only that ADMIN is missing',
    as: 'editor',
    given: async () => ({ body: everything({ users: [{ username: 'admin', rootRole: 'Admin' }] }) }),
    check: ({ json }) => {
      expect(json.permissions).toEqual([{ message: expect.stringContaining('ADMIN'), names: ['installation'] }]);
      expect(json.changes).toEqual([]);
    },
  },
  ...refusedTo('editor', apply, 403, {
    'refuses an installation by a caller who is not an administrator': async () => ({
      body: { state: { version: 1 }, installation: everything().installation },
    }),
  }),
  {
    route: apply,
    name: 'creates an API token that names a project twice',
    given: async () => {
      const body = everything();
      const [token] = body.installation.apiTokens;
      const twice = token && { ...token, projects: [...token.projects, ...token.projects] };
      return { body: { ...body, installation: { ...body.installation, apiTokens: [twice] } } };
    },
    events: [
      { type: 'environment-created' },
      { type: 'project-created' },
      { type: 'strategy-created' },
      { type: 'tag-created' },
      { type: 'user-created' },
      { type: 'api-token-created' },
    ],
    check: ({ json }) => {
      expect(json.apiTokens).toMatchObject([{ projects: [expect.any(String)] }]);
    },
  },
  ...refused(apply, 400, {
    'refuses an API token of all projects that names a project too': async () => {
      const body = everything();
      const [token] = body.installation.apiTokens;
      const both = token && { ...token, projects: ['*', ...token.projects] };
      return { body: { ...body, installation: { ...body.installation, apiTokens: [both] } } };
    },
    'refuses an installation with an API token of a project that does not exist, and creates nothing': async () => {
      const { installation } = everything();
      return { body: { state: { version: 1 }, installation } };
    },
  }),
  {
    route: apply,
    name: 'archives further flags, and leaves those of the state, archived and unknown ones alone',
    given: async (server) => {
      const [gone, kept] = [await givenFlag(server), await givenFlag(server)];
      const { projectId, featureName } = kept;
      const state = { version: 1, projects: { [projectId]: { flags: { [featureName]: {} } } } };
      return { body: { state, archive: [gone.featureName, featureName, freshName('unknown')] } };
    },
    events: [{ type: 'feature-archived' }],
    check: ({ json }) => {
      expect(json.changes).toMatchObject([{ type: 'feature-archived', kind: 'flag' }]);
    },
  },
];
