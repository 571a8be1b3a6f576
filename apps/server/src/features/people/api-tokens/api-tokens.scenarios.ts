import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { givenProject } from '#testing/flags.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

async function givenProjectToken(server: TestServer): Promise<{ projectId: string; id: number; secret: string }> {
  const projectId = await givenProject(server);
  return { projectId, ...(await givenToken(server, { projects: [projectId] })) };
}

const bySecret = async (server: TestServer): Promise<Call> => ({
  params: { token: (await givenToken(server, { tokenName: 'by secret' })).secret },
});

const creating: readonly Scenario[] = [
  {
    route: 'POST /api/admin/api-tokens',
    name: 'creates a token for all projects in development by default, and returns its secret',
    call: { body: { tokenName: 'created', type: 'backend' } },
    answer: {
      tokenName: 'created',
      type: 'backend',
      environment: 'development',
      project: '*',
      projects: ['*'],
      expiresAt: null,
      seenAt: null,
      secure: true,
    },
    check: ({ json, headers }) => {
      expect(json.secret).toMatch(/^\*:development\.[\w-]{43}$/);
      expect(headers.get('location')).toBe('api-tokens');
    },
    events: [
      {
        type: 'api-token-created',
        project: '*',
        environment: 'development',
        preData: null,
        data: { tokenName: 'created', type: 'backend', environment: 'development', projects: ['*'], expiresAt: null },
      },
    ],
  },
  {
    route: 'POST /api/admin/api-tokens',
    name: 'begins the secret with the project, and accepts a type in any case and a time with any offset',
    given: async (server) => ({
      body: {
        tokenName: 'one project',
        type: 'FrontEnd',
        environment: 'production',
        project: await givenProject(server),
        expiresAt: '2099-01-01T02:00:00+02:00',
      },
    }),
    answer: { type: 'frontend', environment: 'production', expiresAt: '2099-01-01T00:00:00.000Z' },
    check: ({ json }) => {
      expect(json.secret).toMatch(/^project-\d+:production\.[\w-]{43}$/);
      expect(json.projects).toEqual([json.project]);
    },
    events: [{ type: 'api-token-created', environment: 'production', data: { type: 'frontend' } }],
  },
  {
    route: 'POST /api/admin/api-tokens',
    name: 'begins the secret of several projects with [], and keeps the type client',
    given: async (server) => ({
      body: {
        tokenName: 'several',
        type: 'client',
        projects: [await givenProject(server), await givenProject(server)],
      },
    }),
    answer: { type: 'client' },
    check: ({ json }) => {
      expect(json.secret).toMatch(/^\[\]:development\./);
      expect(json.projects).toHaveLength(2);
      expect(json.project).toBe(json.projects.join(','));
    },
    events: [{ type: 'api-token-created', data: { type: 'client' } }],
  },
  ...[
    { name: 'an admin token', body: { type: 'admin' } },
    { name: 'an unknown type', body: { type: 'root' } },
    { name: 'all environments', body: { environment: '*' } },
    { name: 'an environment that does not exist', body: { environment: 'nowhere' } },
    { name: 'a project that does not exist', body: { projects: ['default', 'nothing'] } },
    { name: 'no project', body: { projects: [] } },
    { name: 'all projects and one more', body: { projects: ['*', 'default'] } },
    { name: 'an invalid time', body: { expiresAt: 'tomorrow' } },
    // The year has four digits in the given offset, but not in UTC, in which it would be shown.
    { name: 'a time after the year 9999', body: { expiresAt: '9999-12-31T23:59:59-12:00' } },
    { name: 'a time before the year 0', body: { expiresAt: '0000-01-01T00:00:00+12:00' } },
  ].map(
    ({ name, body }): Scenario => ({
      route: 'POST /api/admin/api-tokens',
      name: `refuses ${name}`,
      call: { body: { tokenName: 'refused', type: 'backend', ...body } },
      status: 400,
    }),
  ),
];

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/api-tokens',
    name: 'shows tokens without their secrets',
    given: async (server) => {
      await givenToken(server, { tokenName: 'listed' });
      return {};
    },
    check: ({ json }) => {
      const token = json.tokens.find(({ tokenName }: { tokenName: string }) => tokenName === 'listed');
      expect(token).toMatchObject({ id: expect.any(Number), secure: true, alias: null, type: 'backend' });
      expect(token).not.toHaveProperty('secret');
    },
  },
  {
    route: 'GET /api/admin/api-tokens',
    name: 'omits admin tokens for callers without ADMIN',
    as: 'editor',
    check: async ({ json }, server) => {
      const types = (tokens: { type: string }[]) => tokens.map(({ type }) => type);
      expect(types(json.tokens)).not.toContain('admin');
      const all = await server.admin.call('GET /api/admin/api-tokens');
      expect(types(all.json.tokens)).toContain('admin');
    },
  },
  {
    route: 'GET /api/admin/api-tokens/:name',
    name: 'lists only the tokens with this name',
    given: async (server) => {
      const { tokenName } = await givenToken(server, { tokenName: 'the same' });
      await givenToken(server, { tokenName: 'the same', type: 'frontend' });
      return { params: { name: tokenName } };
    },
    check: ({ json }) => {
      expect(json.tokens).toMatchObject([
        { tokenName: 'the same', type: 'backend' },
        { tokenName: 'the same', type: 'frontend' },
      ]);
    },
  },
  ...refused('GET /api/admin/api-tokens/:name', 400, {
    'refuses an invalid name': { params: { name: '\0' } },
  }),
];

const changing: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/api-tokens/:token',
    name: 'sets when a token expires',
    given: async (server) => ({ ...(await bySecret(server)), body: { expiresAt: '2099-01-01T00:00:00.000Z' } }),
    events: [
      {
        type: 'api-token-updated',
        project: '*',
        environment: 'development',
        preData: { expiresAt: null },
        data: { tokenName: 'by secret', expiresAt: '2099-01-01T00:00:00.000Z' },
      },
    ],
  },
  {
    route: 'PUT /api/admin/api-tokens/:token',
    name: 'records nothing when the time does not change',
    given: async (server) => ({ ...(await bySecret(server)), body: { expiresAt: null } }),
  },
  {
    route: 'PUT /api/admin/api-tokens/:token',
    name: 'answers 200 for an unknown token',
    call: { params: { token: '*:development.unknown' }, body: { expiresAt: null } },
  },
  ...refused('PUT /api/admin/api-tokens/:token', 400, {
    'refuses a missing time': { params: { token: '*:development.unknown' }, body: {} },
  }),
  ...refusedTo('editor', 'PUT /api/admin/api-tokens/:token', 403, {
    'answers 403 to an editor for an admin token': async (server) => {
      const { json } = await server.admin.call('GET /api/admin/api-tokens');
      const { id } = json.tokens.find(({ type }: { type: string }) => type === 'admin');
      return { params: { token: id }, body: { expiresAt: '2020-01-01T00:00:00.000Z' } };
    },
  }),
  {
    route: 'DELETE /api/admin/api-tokens/:token',
    name: 'deletes a token by its secret',
    given: bySecret,
    events: [
      {
        type: 'api-token-deleted',
        project: '*',
        environment: 'development',
        preData: { tokenName: 'by secret' },
        data: null,
      },
    ],
  },
  {
    route: 'DELETE /api/admin/api-tokens/:token',
    name: 'deletes a token by its id',
    given: async (server) => ({ params: { token: (await givenToken(server)).id } }),
    events: [{ type: 'api-token-deleted' }],
  },
  {
    route: 'DELETE /api/admin/api-tokens/:token',
    name: 'answers 200 for an unknown token',
    call: { params: { token: '99999999999' } },
  },
];

const ofProjects: readonly Scenario[] = [
  {
    route: 'GET /api/admin/projects/:projectId/api-tokens',
    name: 'lists the tokens of the project, but not those for all projects',
    given: async (server) => {
      await givenToken(server);
      const { projectId } = await givenProjectToken(server);
      await givenToken(server, { tokenName: 'shared', projects: [projectId, 'default'] });
      return { params: { projectId } };
    },
    check: ({ json }) => {
      expect(json.tokens).toMatchObject([{ tokenName: expect.stringMatching(/^token-/) }, { tokenName: 'shared' }]);
      expect(JSON.stringify(json)).not.toContain('secret');
    },
  },
  {
    route: 'POST /api/admin/projects/:projectId/api-tokens',
    name: 'creates a token for this project only, and ignores projects in the body',
    call: { params: { projectId: 'default' }, body: { tokenName: 'of it', type: 'backend', projects: ['*'] } },
    answer: { tokenName: 'of it', projects: ['default'] },
    check: ({ json }) => expect(json.secret).toMatch(/^default:development\.[\w-]{43}$/),
    events: [
      { type: 'api-token-created', project: 'default', environment: 'development', data: { projects: ['default'] } },
    ],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId/api-tokens/:token',
    name: 'deletes a token of the project',
    given: async (server) => {
      const { projectId, secret } = await givenProjectToken(server);
      return { params: { projectId, token: secret } };
    },
    events: [{ type: 'api-token-deleted' }],
  },
  ...refused('DELETE /api/admin/projects/:projectId/api-tokens/:token', 400, {
    'refuses to delete a token with further projects': async (server) => {
      const projectId = await givenProject(server);
      const { id } = await givenToken(server, { projects: [projectId, 'default'] });
      return { params: { projectId, token: id } };
    },
  }),
  ...refused('DELETE /api/admin/projects/:projectId/api-tokens/:token', 404, {
    'answers 404 for a token for all projects or for another project': async (server) => ({
      params: { projectId: 'default', token: (await givenToken(server)).id },
    }),
  }),
];

const edge: readonly Scenario[] = [
  {
    route: 'POST /edge/validate',
    name: 'returns the scope of each valid token once, and omits invalid tokens',
    as: 'anonymous',
    given: async (server) => {
      const { secret } = await givenToken(server, { environment: 'production' });
      const expiresAt = new Date(server.clock.now() + 1).toISOString();
      const { secret: over } = await givenToken(server, { expiresAt });
      server.clock.advance(1);
      return { body: { tokens: [secret, over, secret, '*:production.unknown'] } };
    },
    check: ({ json }) => {
      const scope = { type: 'client', projects: ['*'], environment: 'production' };
      expect(json).toEqual({ tokens: [{ token: expect.stringMatching(/^\*:production[.]/), ...scope }] });
    },
  },
  ...(
    [
      ['backend', 'client'],
      ['client', 'client'],
      ['frontend', 'frontend'],
    ] as const
  ).map(
    ([type, word]): Scenario => ({
      route: 'POST /edge/validate',
      name: `returns the type of a ${type} token by the name that all versions of Edge know`,
      as: 'anonymous',
      given: async (server) => ({ body: { tokens: [(await givenToken(server, { type })).secret] } }),
      answer: { tokens: [{ type: word }] },
    }),
  ),
  {
    route: 'POST /edge/validate',
    name: 'answers each token by itself, also beside values that cannot be tokens',
    as: 'anonymous',
    given: async (server) => {
      const { secret } = await givenToken(server, { environment: 'production' });
      return { body: { tokens: ['', 'x'.repeat(5000), null, 1, {}, secret, '\u0000'] } };
    },
    check: ({ json }) => expect(json.tokens).toMatchObject([{ environment: 'production' }]),
  },
];

export const tokenScenarios: readonly Scenario[] = [...creating, ...reading, ...changing, ...ofProjects, ...edge];
