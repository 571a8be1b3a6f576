import { expect } from 'vitest';
import {
  addStrategy,
  freshName,
  givenEnabled,
  givenEnvironment,
  givenFlag,
  givenFlagIn,
  givenProject,
} from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { cloneScenarios } from './clone.scenarios.ts';

const byName = async (server: TestServer) => ({ params: { name: await givenEnvironment(server) } });

/** Run these with a higher environment limit than the number of environments that they create. */
export const environmentScenarios: readonly Scenario[] = [
  ...cloneScenarios,
  {
    route: 'GET /api/admin/environments',
    name: 'lists environments in sort order, including the first two',
    as: 'viewer',
    check: ({ json }) => {
      expect(json).toMatchObject({
        version: 1,
        environments: expect.arrayContaining([
          expect.objectContaining({ name: 'development', type: 'development', enabled: true, sortOrder: 100 }),
          expect.objectContaining({ name: 'production', type: 'production', enabled: true, sortOrder: 200 }),
        ]),
      });
      const places = json.environments.map((environment: { sortOrder: number }) => environment.sortOrder);
      expect(places).toEqual(places.toSorted((a: number, b: number) => a - b));
    },
  },
  {
    route: 'GET /api/admin/environments/:name',
    name: 'counts projects, tokens and enabled flags',
    as: 'viewer',
    given: async (server) => {
      const name = await givenEnvironment(server);
      const project = await givenProject(server, { environments: [name] });
      const params = { ...(await givenFlag(server, {}, project)), environment: name };
      const toggle = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
      await server.admin.call(toggle, { params });
      const token = { tokenName: name, type: 'backend', environment: name, projects: [project] };
      expect((await server.admin.call('POST /api/admin/api-tokens', { body: token })).status).toBe(201);
      return { params: { name } };
    },
    answer: { type: 'test', protected: false, projectCount: 1, apiTokenCount: 1, enabledToggleCount: 1 },
  },
  ...refused('GET /api/admin/environments/:name', 400, {
    'answers 400 for U+0000 in a name': { params: { name: 'a\0b' } },
  }),
  {
    route: 'GET /api/admin/environments/project/:projectId',
    name: 'lists the environments of a project',
    as: 'viewer',
    given: async (server) => ({ params: { projectId: await givenProject(server, { environments: ['production'] }) } }),
    check: ({ json }) => {
      expect(json.environments).toMatchObject([{ name: 'production', projectEnabledToggleCount: 0 }]);
    },
  },
  {
    route: 'POST /api/admin/environments',
    name: 'creates an environment, enabled and last in sort order',
    call: { body: { name: 'staging', type: 'preproduction' } },
    answer: { name: 'staging', type: 'preproduction', enabled: true, protected: false, projectCount: 0 },
    events: [
      {
        type: 'environment-created',
        environment: 'staging',
        project: null,
        preData: null,
        data: { name: 'staging', type: 'preproduction', enabled: true },
      },
    ],
  },
  ...refused('POST /api/admin/environments', 409, {
    'answers 409 for a name that is taken': { body: { name: 'production', type: 'production' } },
  }),
  {
    route: 'POST /api/admin/environments',
    name: 'stores the default number of approvals',
    call: { body: { name: 'approved', type: 'test', requiredApprovals: 2 } },
    answer: { requiredApprovals: 2 },
    events: [{ type: 'environment-created', data: { name: 'approved', requiredApprovals: 2 } }],
  },
  ...refused('POST /api/admin/environments', 400, {
    'answers 400 for a name that is not URL-friendly': { body: { name: 'a/b', type: 'test' } },
    'answers 400 for 0 approvals': { body: { name: 'unapproved', type: 'test', requiredApprovals: 0 } },
  }),
  {
    route: 'PUT /api/admin/environments/update/:name',
    name: 'changes and removes only the default number of approvals',
    given: async (server) => ({
      params: { name: await givenEnvironment(server, { requiredApprovals: 2 }) },
      body: { requiredApprovals: null },
    }),
    answer: { type: 'test', requiredApprovals: null },
    events: [{ type: 'environment-updated', preData: { requiredApprovals: 2 }, data: { requiredApprovals: null } }],
  },
  {
    route: 'PUT /api/admin/environments/update/:name',
    name: 'updates the environment and records the old and new values',
    given: async (server) => ({ ...(await byName(server)), body: { type: 'production', sortOrder: 7 } }),
    answer: { type: 'production', sortOrder: 7 },
    events: [{ type: 'environment-updated', preData: { type: 'test' }, data: { type: 'production', sortOrder: 7 } }],
  },
  {
    route: 'DELETE /api/admin/environments/:name',
    name: 'deletes the environment with its tokens and removes it from projects',
    given: async (server) => {
      const name = await givenEnvironment(server);
      await givenProject(server, { environments: [name, 'production'] });
      const body = { tokenName: 'sdk', type: 'backend', environment: name };
      expect((await server.admin.call('POST /api/admin/api-tokens', { body })).status).toBe(201);
      return { params: { name } };
    },
    events: [
      { type: 'api-token-deleted', data: null },
      { type: 'environment-deleted', data: null, preData: { type: 'test' } },
      { type: 'project-environment-removed', project: expect.any(String) as string, data: null, preData: null },
    ],
  },
  {
    route: 'DELETE /api/admin/environments/:name',
    name: 'releases the holds that keep flags off there',
    given: async (server) => {
      const name = await givenEnvironment(server);
      const flag = await givenFlagIn(server, name, await givenProject(server, { environments: [name, 'production'] }));
      await givenHold(server, flag);
      return { params: { name } };
    },
    events: [
      { type: 'feature-lease-released', preData: { effect: 'off' }, data: null },
      { type: 'environment-deleted' },
      { type: 'project-environment-removed' },
    ],
  },
  ...refused('DELETE /api/admin/environments/:name', 400, {
    'answers 400 while a flag is on there': async (server) => {
      const { environment } = await givenEnabled(server);
      return { params: { name: environment } };
    },
    'answers 400 while a hold keeps a flag on there': async (server) => {
      const name = await givenEnvironment(server);
      const flag = await givenFlagIn(server, name, await givenProject(server, { environments: [name, 'production'] }));
      await addStrategy(server, flag, { name: 'default' });
      await givenHold(server, flag, { effect: 'on' });
      return { params: { name } };
    },
    'answers 400 for the only environment of a project': async (server) => {
      const name = await givenEnvironment(server);
      await givenProject(server, { environments: [name] });
      return { params: { name } };
    },
  }),
  {
    route: 'POST /api/admin/environments/validate',
    name: 'answers 200 for a free name',
    given: async () => ({ body: { name: freshName('free') } }),
  },
  ...refused('POST /api/admin/environments/validate', 409, {
    'answers 409 for a name that is taken': { body: { name: 'development' } },
  }),
  {
    route: 'PUT /api/admin/environments/sort-order',
    name: 'records each environment whose sort order changed',
    given: async (server) => {
      const names = [await givenEnvironment(server), await givenEnvironment(server, { sortOrder: 5 })] as const;
      return { body: { [names[0]]: 4, [names[1]]: 5 } };
    },
    events: [{ type: 'environment-updated', data: { sortOrder: 4 } }],
  },
  ...refused('PUT /api/admin/environments/sort-order', 404, {
    'answers 404 and changes nothing when an environment does not exist': async (server) => ({
      body: { [await givenEnvironment(server)]: 1, nowhere: 2 },
    }),
  }),
  ...refused('PUT /api/admin/environments/sort-order', 400, {
    'answers 400 for a sort order that is not an integer': { body: { development: 1.5 } },
  }),
  {
    route: 'POST /api/admin/environments/:name/on',
    name: 'enables the environment',
    given: byName,
    events: [{ type: 'environment-updated', preData: { enabled: false }, data: { enabled: true } }],
  },
  {
    route: 'POST /api/admin/environments/:name/off',
    name: 'disables the environment',
    given: async (server) => ({ params: { name: await givenEnvironment(server, { enabled: true }) } }),
    events: [{ type: 'environment-updated', preData: { enabled: true }, data: { enabled: false } }],
  },
];
