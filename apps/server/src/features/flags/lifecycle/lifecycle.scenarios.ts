import { expect } from 'vitest';
import { type FlagParams, givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const route = '/api/admin/projects/:projectId/features/:featureName/lifecycle' as const;

/** Creates a completed flag; returns a request on it. */
const completed = (body?: object) => async (server: TestServer) => {
  const params: FlagParams = await givenFlag(server);
  await server.admin.call(`POST ${route}/complete`, { params, body: { status: 'kept', statusValue: 'blue' } });
  return { params, body };
};
const fresh = (body?: object) => async (server: TestServer) => ({ params: await givenFlag(server), body });

export const lifecycleScenarios: readonly Scenario[] = [
  {
    route: `GET ${route}`,
    name: 'answers the stage initial for a new flag',
    as: 'viewer',
    given: fresh(),
    check: ({ json }) => expect(json).toEqual([{ stage: 'initial', status: null, enteredStageAt: expect.any(String) }]),
  },
  {
    route: `GET ${route}`,
    name: 'answers all stages up to archived',
    given: async (server) => {
      const { params } = await completed()(server);
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
      return { params };
    },
    check: ({ json }) =>
      expect(json.map(({ stage }: { stage: string }) => stage)).toEqual(['initial', 'completed', 'archived']),
  },
  {
    route: `POST ${route}/complete`,
    name: 'completes a flag and shows the stage in the flag',
    as: 'editor',
    given: fresh({ status: 'kept', statusValue: 'blue' }),
    events: [
      {
        type: 'feature-completed',
        project: 'default',
        preData: null,
        data: { status: 'kept', statusValue: 'blue', kept: true },
      },
    ],
  },
  {
    route: `POST ${route}/complete`,
    name: 'changes the status of a completed flag',
    given: completed({ status: 'discarded' }),
    events: [{ type: 'feature-completed', data: { status: 'discarded', kept: false } }],
  },
  ...refused(`POST ${route}/complete`, 400, {
    'rejects a status other than kept or discarded': fresh({ status: 'lost' }),
    'rejects an archived flag': async (server) => ({ params: await givenArchived(server), body: { status: 'kept' } }),
  }),
  {
    route: `POST ${route}/uncomplete`,
    name: 'reverts the completion',
    as: 'editor',
    given: completed(),
    events: [{ type: 'feature-uncompleted', data: null, preData: null }],
  },
  {
    route: 'GET /api/admin/lifecycle/count',
    name: 'counts flags by stage',
    as: 'viewer',
    given: async (server) => {
      await givenArchived(server);
      await completed()(server);
      await givenFlag(server, {}, await givenProject(server));
      return {};
    },
    check: ({ json }) => {
      expect(Object.keys(json).sort()).toEqual(['archived', 'completed', 'initial', 'live', 'preLive']);
      for (const stage of ['archived', 'completed', 'initial']) expect(json[stage]).toBeGreaterThan(0);
    },
  },
];
