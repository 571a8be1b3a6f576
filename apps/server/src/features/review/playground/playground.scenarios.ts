import { expect } from 'vitest';
import { givenApproved, givenDraft, givenSent, setRequestState } from '#testing/change-requests.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

const simple = 'POST /api/admin/playground';
const advanced = 'POST /api/admin/playground/advanced';
const afterRequest = 'POST /api/admin/playground/change-request/:id';
const context = { appName: 'a test' };

/** Invalid bodies for both routes, with the invalid field. */
const wrong: readonly [object, string][] = [
  [{ context: {} }, 'context.appName'],
  [{ context: { appName: '' } }, 'context.appName'],
  [{ context: { appName: 'a', currentTime: 'noon' } }, 'context.currentTime'],
  [
    {
      context: {
        appName: 'a',
        userId: '\0',
        properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i, 'x'])),
      },
    },
    'context',
  ],
  [{ context, projects: 'default' }, 'projects'],
  [{ context, projects: ['a b'] }, 'projects'],
];

export const playgroundScenarios: readonly Scenario[] = [
  {
    route: simple,
    name: 'shows a flag without strategies to a viewer',
    as: 'viewer',
    given: async (server) => {
      const { projectId } = await givenFlag(server, {}, await givenProject(server));
      return { body: { environment: 'development', projects: [projectId], context } };
    },
    status: 200,
    answer: {
      input: { environment: 'development', context },
      features: [
        {
          isEnabled: false,
          isEnabledInCurrentEnvironment: false,
          hasUnsatisfiedDependency: false,
          strategies: { result: true, data: [] },
          variant: { name: 'disabled', enabled: false, feature_enabled: false, featureEnabled: false },
          variants: [],
        },
      ],
    },
  },
  {
    route: simple,
    name: 'shows nothing for an unknown project',
    call: { body: { environment: 'development', projects: ['nowhere'], context } },
    status: 200,
    answer: { features: [] },
  },
  {
    route: simple,
    name: 'shows nothing for an empty list of projects',
    call: { body: { environment: 'development', projects: [], context } },
    status: 200,
    answer: { features: [] },
  },
  {
    route: simple,
    name: 'answers 400 for an unknown environment',
    call: { body: { environment: 'nowhere', context } },
    status: 400,
    answer: { details: [{ path: 'environment' }] },
  },
  {
    route: simple,
    name: 'answers 400 for a context field that is not text',
    call: { body: { environment: 'development', context: { ...context, userId: ['a'] } } },
    status: 400,
    answer: { details: [{ path: 'context.userId' }] },
  },
  ...wrong.map(
    ([body, path]): Scenario => ({
      route: simple,
      name: `refuses ${JSON.stringify(body).slice(0, 70)}`,
      call: { body: { environment: 'development', ...body } },
      status: 400,
      answer: { details: [{ path: expect.stringMatching(new RegExp(`^${path}`)) }] },
    }),
  ),
  {
    route: advanced,
    name: 'evaluates every combination in every environment',
    as: 'viewer',
    given: async (server) => {
      const { projectId } = await givenFlag(server, {}, await givenProject(server));
      const body = {
        environments: ['development', 'production', 'development'],
        projects: [projectId],
        context: {
          appName: 'a, b',
          userId: '1,2,,2',
          plan: 'pro',
          properties: { region: 'eu, us' },
          remoteAddress: {},
          n: 7,
        },
      };
      return { body };
    },
    status: 200,
    answer: { warnings: { invalidContextProperties: ['remoteAddress'] } },
    check: ({ json }) => {
      const { environments } = json.features[0];
      expect(Object.keys(environments)).toEqual(['development', 'production']);
      const contexts = environments.production.map((result: { context: unknown }) => result.context);
      expect(new Set(contexts.map((value: unknown) => JSON.stringify(value))).size).toBe(8);
      expect(contexts).toContainEqual({ appName: 'b', userId: '2', properties: { plan: 'pro', n: '7', region: 'us' } });
    },
  },
  {
    route: advanced,
    name: 'answers 400 for too many combinations, with their number',
    call: {
      body: {
        environments: ['development'],
        context: {
          ...context,
          userId: Array.from({ length: 200 }, (_, i) => i).join(),
          sessionId: Array.from({ length: 200 }, (_, i) => i).join(),
        },
      },
    },
    status: 400,
    answer: { message: expect.stringContaining('40000 combinations'), details: [{ path: 'context' }] },
  },
  {
    route: advanced,
    name: 'answers 400 for an unknown environment, with its index',
    call: { body: { environments: ['development', 'nowhere'], context } },
    status: 400,
    answer: { details: [{ path: 'environments.1' }] },
  },
  {
    route: advanced,
    name: 'answers 400 for an empty list of environments',
    call: { body: { environments: [], context } },
    status: 400,
    answer: { details: [{ path: 'environments' }] },
  },
  ...wrong.map(
    ([body, path]): Scenario => ({
      route: advanced,
      name: `refuses ${JSON.stringify(body).slice(0, 70)}`,
      call: { body: { environments: ['development'], ...body } },
      status: 400,
      answer: { details: [{ path: expect.stringMatching(new RegExp(`^${path}`)) }] },
    }),
  ),
  {
    route: afterRequest,
    name: 'previews the flags of the project for the author of a draft',
    given: async (server) => {
      const { id, author } = await givenDraft(server);
      return { params: { id }, body: { context }, headers: { authorization: author.token } };
    },
    status: 200,
    answer: {
      input: { environments: ['development'], context },
      warnings: { invalidContextProperties: [] },
      features: [{ environments: { development: [{ isEnabled: true, context }] } }],
    },
  },
  {
    route: afterRequest,
    name: 'answers 404 for the draft of another account',
    given: async (server) => ({ params: { id: (await givenDraft(server)).id }, body: { context } }),
    status: 404,
  },
  {
    route: afterRequest,
    name: 'answers 409 for a closed change request',
    given: async (server) => {
      const { id, at } = await givenApproved(server);
      await setRequestState(server.admin, at.projectId, id, 'Applied');
      return { params: { id }, body: { context } };
    },
    status: 409,
  },
  {
    route: afterRequest,
    name: 'answers 409 for a conflict and names the change',
    given: async (server) => {
      const { id, params } = await givenSent(server);
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
      return { params: { id }, body: { context } };
    },
    status: 409,
    answer: { details: [{ path: 'changes.0' }] },
  },
  {
    route: afterRequest,
    name: 'answers 400 for too many combinations',
    given: async (server) => {
      const many = Array.from({ length: 200 }, (_, i) => i).join();
      const { id } = await givenSent(server);
      return { params: { id }, body: { context: { ...context, userId: many, sessionId: many } } };
    },
    status: 400,
    answer: { details: [{ path: 'context' }] },
  },
  ...wrong.map(
    ([body, path]): Scenario => ({
      route: afterRequest,
      name: `refuses ${JSON.stringify(body).slice(0, 70)}`,
      given: async (server) => ({ params: { id: (await givenSent(server)).id }, body }),
      status: 400,
      answer: { details: [{ path: expect.stringMatching(new RegExp(`^${path}`)) }] },
    }),
  ),
];
