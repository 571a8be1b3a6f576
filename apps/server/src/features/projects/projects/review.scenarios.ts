import { givenReview } from '#testing/change-requests.ts';
import { givenEnvironment, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

/** Scenarios of projects that are created with review. */
export const reviewScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/projects/:projectId/overview',
    name: 'shows the reviewed environments',
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production');
      return { params: { projectId } };
    },
    answer: {
      environments: [
        { environment: 'development', changeRequestsEnabled: false },
        { environment: 'production', changeRequestsEnabled: true },
      ],
    },
  },
  {
    route: 'POST /api/admin/projects',
    name: 'creates a project with a reviewed environment',
    call: {
      body: {
        id: 'reviewed',
        name: 'Reviewed',
        environments: ['development', 'production'],
        changeRequestEnvironments: [{ name: 'production', requiredApprovals: 2 }],
      },
    },
    answer: { changeRequestEnvironments: [{ name: 'production', requiredApprovals: 2 }] },
    events: [
      { type: 'project-created' },
      {
        type: 'change-request-configuration-updated',
        project: 'reviewed',
        environment: 'production',
        preData: { changeRequestsEnabled: false },
        data: { changeRequestsEnabled: true, requiredApprovals: 2 },
      },
    ],
  },
  ...refused('POST /api/admin/projects', 400, {
    'answers 400 for review in an environment that the project does not get': {
      body: { name: 'Odd', environments: ['development'], changeRequestEnvironments: [{ name: 'production' }] },
    },
  }),
  {
    route: 'POST /api/admin/projects/:projectId/environments',
    name: 'adds a reviewed environment',
    given: async (server) => ({
      params: { projectId: await givenProject(server) },
      body: { environment: await givenEnvironment(server), changeRequestsEnabled: true },
    }),
    events: [
      { type: 'project-environment-added' },
      { type: 'change-request-configuration-updated', data: { changeRequestsEnabled: true, requiredApprovals: 1 } },
    ],
  },
  {
    route: 'POST /api/admin/projects/:projectId/environments',
    name: 'takes the number of approvals from the environment',
    given: async (server) => ({
      params: { projectId: await givenProject(server) },
      body: { environment: await givenEnvironment(server, { requiredApprovals: 3 }), changeRequestsEnabled: true },
    }),
    events: [
      { type: 'project-environment-added' },
      { type: 'change-request-configuration-updated', data: { changeRequestsEnabled: true, requiredApprovals: 3 } },
    ],
  },
];
