import { expect } from 'vitest';
import { addStrategy, givenArchived, givenDependency, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { dependencyArchiveScenarios } from './archive.scenarios.ts';

const ofFlag = '/api/admin/projects/:projectId/features/:featureName' as const;

/** Creates two flags in a new project; `body` names the second as the parent. */
async function pair(server: TestServer, more: object = {}) {
  const projectId = await givenProject(server);
  const parent = (await givenFlag(server, {}, projectId)).featureName;
  return { params: await givenFlag(server, {}, projectId), body: { feature: parent, ...more } };
}

const depending = async (server: TestServer) => ({ params: await givenDependency(server) });

const add: readonly Scenario[] = [
  {
    route: `POST ${ofFlag}/dependencies`,
    name: 'makes a flag depend on a parent that is on',
    as: 'editor',
    given: pair,
    events: [{ type: 'feature-dependency-added', environment: null, preData: null, data: { enabled: true } }],
  },
  {
    route: `POST ${ofFlag}/dependencies`,
    name: 'records the removal of the previous parent',
    given: async (server) => {
      const { parent, ...params } = await givenDependency(server);
      const other = await givenFlag(server, {}, params.projectId);
      return { params, body: { feature: other.featureName, enabled: false, variants: ['left out'] } };
    },
    check: async (_reply, server) => {
      const { json } = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      expect(json.events[0].data).toEqual({ feature: expect.any(String), enabled: false });
    },
    events: [{ type: 'feature-dependency-removed', preData: null }, { type: 'feature-dependency-added' }],
  },
  ...refused(`POST ${ofFlag}/dependencies`, 403, {
    'rejects the flag itself as its parent': async (server) => {
      const params = await givenFlag(server);
      return { params, body: { feature: params.featureName } };
    },
    'rejects an unknown parent': async (server) => ({ params: await givenFlag(server), body: { feature: 'nowhere' } }),
    'rejects an archived parent': async (server) => ({
      params: await givenFlag(server),
      body: { feature: (await givenArchived(server)).featureName },
    }),
    'rejects a parent of another project': async (server) => ({
      params: await givenFlag(server),
      body: { feature: (await givenFlag(server, {}, await givenProject(server))).featureName },
    }),
    'rejects a parent that has a parent': async (server) => {
      const { projectId, featureName: feature } = await givenDependency(server);
      return { params: await givenFlag(server, {}, projectId), body: { feature } };
    },
    'rejects a parent for a flag with children': async (server) => {
      const { projectId, parent } = await givenDependency(server);
      const other = await givenFlag(server, {}, projectId);
      return { params: { projectId, featureName: parent }, body: { feature: other.featureName } };
    },
  }),
  ...refused(`POST ${ofFlag}/dependencies`, 400, {
    'rejects an archived flag': async (server) => ({ params: await givenArchived(server), body: { feature: 'any' } }),
  }),
];

const remove: readonly Scenario[] = [
  {
    route: `DELETE ${ofFlag}/dependencies`,
    name: 'removes the dependency of a flag',
    as: 'editor',
    given: depending,
    events: [{ type: 'feature-dependencies-removed', data: null, preData: null }],
  },
  {
    route: `DELETE ${ofFlag}/dependencies/:parent`,
    name: 'removes the parent from a flag',
    given: depending,
    events: [{ type: 'feature-dependency-removed', data: { feature: expect.any(String) as string }, preData: null }],
  },
  ...refused(`DELETE ${ofFlag}/dependencies/:parent`, 404, {
    'answers 404 for a flag that is not the parent': async (server) => ({
      params: { ...(await givenDependency(server)), parent: 'another' },
    }),
  }),
];

const read: readonly Scenario[] = [
  {
    route: 'GET /api/admin/projects/:projectId/dependencies',
    name: 'answers true when the project has dependencies',
    as: 'viewer',
    given: depending,
    check: ({ json }) => expect(json).toBe(true),
  },
  {
    route: 'GET /api/admin/projects/:projectId/dependencies',
    name: 'answers false when the project has no dependencies',
    given: async (server) => ({ params: { projectId: await givenProject(server) } }),
    check: ({ json }) => expect(json).toBe(false),
  },
  {
    route: `GET ${ofFlag}/parents`,
    name: 'names the active flags without a parent',
    as: 'viewer',
    given: async (server) => {
      const { projectId } = await givenDependency(server);
      await givenArchived(server, projectId);
      return { params: await givenFlag(server, {}, projectId) };
    },
    check: async ({ json }, server) => {
      const [parent] = json;
      const flag = await server.admin.call(`GET ${ofFlag}`, {
        params: { projectId: parent.slice(0, parent.lastIndexOf('.')), featureName: parent },
      });
      expect(json).toEqual([parent]);
      expect(flag.json.children).toHaveLength(1);
    },
  },
  {
    route: `GET ${ofFlag}/parents`,
    name: 'names no flag for a flag with children',
    given: async (server) => {
      const { projectId, parent } = await givenDependency(server);
      await givenFlag(server, {}, projectId);
      return { params: { projectId, featureName: parent } };
    },
    check: ({ json }) => expect(json).toEqual([]),
  },
  {
    route: 'GET /api/admin/projects/:projectId/features/:parent/parent-variants',
    name: 'names the distinct variants of all environments',
    as: 'viewer',
    given: async (server) => {
      const { projectId, featureName } = await givenFlag(server);
      const variant = (name: string) => ({ name, weight: 1, weightType: 'variable', stickiness: 'default' });
      for (const [environment, ...names] of [
        ['development', 'blue', 'red'],
        ['production', 'red', 'azure'],
      ] as const) {
        const params = { projectId, featureName, environment };
        await addStrategy(server, params, { name: 'default', variants: names.map(variant) });
      }
      return { params: { projectId, parent: featureName } };
    },
    check: ({ json }) => expect(json).toEqual(['azure', 'blue', 'red']),
  },
  {
    route: 'GET /api/admin/projects/:projectId/features/:parent/parent-variants',
    name: 'answers an empty list for an unknown flag',
    call: { params: { projectId: 'default', parent: 'no-such-flag' } },
    check: ({ json }) => expect(json).toEqual([]),
  },
];

export const dependencyScenarios: readonly Scenario[] = [...add, ...remove, ...read, ...dependencyArchiveScenarios];
