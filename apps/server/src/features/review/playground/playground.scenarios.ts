import { expect } from 'vitest';
import { givenApproved, givenDraft, givenSent, setRequestState } from '#testing/change-requests.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const simple = 'POST /api/admin/playground';
const advanced = 'POST /api/admin/playground/advanced';
const afterRequest = 'POST /api/admin/playground/change-request/:id';
const context = { appName: 'a test' };

/** Invalid bodies for all routes. */
const wrong: readonly object[] = [
  { context: { appName: 'a', currentTime: 'noon' } },
  {
    context: {
      appName: 'a',
      userId: '\0',
      properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i, 'x'])),
    },
  },
  { context, projects: ['a b'] },
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
    answer: { features: [] },
  },
  {
    route: simple,
    name: 'shows nothing for an empty list of projects',
    call: { body: { environment: 'development', projects: [], context } },
    answer: { features: [] },
  },
  ...refused(simple, 400, {
    'answers 400 for an unknown environment': { body: { environment: 'nowhere', context } },
    'answers 400 for a context field that is not text': {
      body: { environment: 'development', context: { ...context, userId: ['a'] } },
    },
  }),
  ...wrong.map(
    (body): Scenario => ({
      route: simple,
      name: `refuses ${JSON.stringify(body).slice(0, 70)}`,
      call: { body: { environment: 'development', ...body } },
      status: 400,
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
    answer: { warnings: { invalidContextProperties: ['remoteAddress'] } },
    check: ({ json }) => {
      const { environments } = json.features[0];
      expect(Object.keys(environments)).toEqual(['development', 'production']);
      const contexts = environments.production.map((result: { context: unknown }) => result.context);
      expect(new Set(contexts.map((value: unknown) => JSON.stringify(value))).size).toBe(8);
      expect(contexts).toContainEqual({ appName: 'b', userId: '2', properties: { plan: 'pro', n: '7', region: 'us' } });
    },
  },
  ...refused(advanced, 400, {
    'answers 400 for too many combinations, with their number': {
      body: {
        environments: ['development'],
        context: {
          ...context,
          userId: Array.from({ length: 200 }, (_, i) => i).join(),
          sessionId: Array.from({ length: 200 }, (_, i) => i).join(),
        },
      },
    },
    'answers 400 for an unknown environment, with its index': {
      body: { environments: ['development', 'nowhere'], context },
    },
  }),
  ...wrong.map(
    (body): Scenario => ({
      route: advanced,
      name: `refuses ${JSON.stringify(body).slice(0, 70)}`,
      call: { body: { environments: ['development'], ...body } },
      status: 400,
    }),
  ),
  {
    route: afterRequest,
    name: 'previews the flags of the project for the author of a draft',
    given: async (server) => {
      const { id, author } = await givenDraft(server);
      return { params: { id }, body: { context }, headers: { authorization: author.token } };
    },
    answer: {
      input: { environments: ['development'], context },
      warnings: { invalidContextProperties: [] },
      features: [{ environments: { development: [{ isEnabled: true, context }] } }],
    },
  },
  ...refused(afterRequest, 404, {
    'answers 404 for the draft of another account': async (server) => ({
      params: { id: (await givenDraft(server)).id },
      body: { context },
    }),
  }),
  ...refused(afterRequest, 409, {
    'answers 409 for a closed change request': async (server) => {
      const { id, at } = await givenApproved(server);
      await setRequestState(server.admin, at.projectId, id, 'Applied');
      return { params: { id }, body: { context } };
    },
    'answers 409 for a conflict and names the change': async (server) => {
      const { id, params } = await givenSent(server);
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
      return { params: { id }, body: { context } };
    },
  }),
  ...refused(afterRequest, 400, {
    'answers 400 for too many combinations': async (server) => {
      const many = Array.from({ length: 200 }, (_, i) => i).join();
      const { id } = await givenSent(server);
      return { params: { id }, body: { context: { ...context, userId: many, sessionId: many } } };
    },
  }),
  ...wrong.map(
    (body): Scenario => ({
      route: afterRequest,
      name: `refuses ${JSON.stringify(body).slice(0, 70)}`,
      given: async (server) => ({ params: { id: (await givenSent(server)).id }, body }),
      status: 400,
    }),
  ),
];
