import { expect } from 'vitest';
import { givenDependency, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const ofFlag = '/api/admin/projects/:projectId/features/:featureName' as const;
const archive = '/api/admin/projects/:projectId/archive' as const;

const depending = async (server: TestServer) => ({ params: await givenDependency(server) });

/** Dependencies when flags are archived, cloned and shown. */
export const dependencyArchiveScenarios: readonly Scenario[] = [
  ...refused(`DELETE ${ofFlag}`, 403, {
    'answers 403 for a flag that another flag depends on': async (server) => {
      const { projectId, parent } = await givenDependency(server);
      return { params: { projectId, featureName: parent } };
    },
  }),
  {
    route: `DELETE ${ofFlag}`,
    name: 'deletes the dependency of an archived flag',
    given: depending,
    events: [
      { type: 'feature-dependencies-removed', data: null, preData: null },
      { type: 'feature-archived', data: null, preData: null },
    ],
  },
  {
    route: `POST ${archive}`,
    name: 'archives parent and child together',
    given: async (server) => {
      const { projectId, parent, featureName } = await givenDependency(server);
      return { params: { projectId }, body: { features: [parent, featureName] } };
    },
    events: [{ type: 'feature-archived' }, { type: 'feature-dependencies-removed' }, { type: 'feature-archived' }],
  },
  ...refused(`POST ${archive}`, 403, {
    'archives no flag when a flag outside the request depends on one': async (server) => {
      const { projectId, parent } = await givenDependency(server);
      const other = await givenFlag(server, {}, projectId);
      return { params: { projectId }, body: { features: [other.featureName, parent] } };
    },
  }),
  {
    route: `POST ${archive}/validate`,
    name: 'names the parents of active flags',
    given: async (server) => {
      const { projectId, parent } = await givenDependency(server);
      return { params: { projectId }, body: { features: [parent] } };
    },
    check: ({ json }) =>
      expect(json).toEqual({ parentsWithChildFeatures: [expect.any(String)], hasDeletedDependencies: false }),
  },
  {
    route: `POST ${archive}/validate`,
    name: 'says that dependencies would be deleted',
    as: 'editor',
    given: async (server) => {
      const { projectId, parent, featureName } = await givenDependency(server);
      return { params: { projectId }, body: { features: [parent, featureName] } };
    },
    answer: { parentsWithChildFeatures: [], hasDeletedDependencies: true },
  },
  ...refused(`POST ${archive}/validate`, 404, {
    'answers 404 for a flag of another project': async (server) => ({
      params: { projectId: await givenProject(server) },
      body: { features: [(await givenFlag(server)).featureName] },
    }),
  }),
  {
    route: `POST ${ofFlag}/clone`,
    name: "gives the clone the original's dependency",
    given: async (server) => {
      const { featureName, ...params } = await givenDependency(server, { variants: ['a'] });
      return { params: { ...params, featureName }, body: { name: `${featureName}-clone` } };
    },
    answer: { dependencies: [{ enabled: true, variants: ['a'] }], children: [] },
    events: [{ type: 'feature-created' }, { type: 'feature-dependency-added', data: { variants: ['a'] } }],
  },
  {
    route: `GET ${ofFlag}`,
    name: 'names the child flags',
    given: async (server) => {
      const { projectId, parent } = await givenDependency(server);
      return { params: { projectId, featureName: parent } };
    },
    answer: { dependencies: [], children: [expect.any(String)] },
  },
];
