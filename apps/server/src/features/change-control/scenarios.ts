import { givenMember } from '../../../testing/access.ts';
import { givenReview } from '../../../testing/change-requests.ts';
import { givenEnvironment, givenProject } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';

const reading = 'GET /api/admin/projects/:projectId/change-requests/config' as const;
const changing = 'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config' as const;

export const changeControlScenarios: readonly Scenario[] = [
  {
    route: reading,
    name: 'shows each environment of the project',
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production', 3);
      return { params: { projectId } };
    },
    status: 200,
    answer: [
      { environment: 'development', type: 'development', changeRequestEnabled: false, requiredApprovals: null },
      { environment: 'production', type: 'production', changeRequestEnabled: true, requiredApprovals: 3 },
    ],
  },
  { route: reading, name: 'does not know the project', call: { params: { projectId: 'nowhere' } }, status: 404 },
  {
    route: changing,
    name: 'turns review on; one approval is enough when nothing is said',
    given: async (server) => ({
      params: { projectId: await givenProject(server), environment: 'production' },
      body: { changeRequestsEnabled: true },
    }),
    status: 204,
    events: [
      {
        type: 'change-request-configuration-updated',
        environment: 'production',
        preData: { changeRequestsEnabled: false, requiredApprovals: null },
        data: { changeRequestsEnabled: true, requiredApprovals: 1 },
      },
    ],
  },
  {
    route: changing,
    name: 'asks for as many approvals as the environment does when nothing is said',
    given: async (server) => {
      const environment = await givenEnvironment(server, { requiredApprovals: 3 });
      const projectId = await givenProject(server, { environments: [environment] });
      return { params: { projectId, environment }, body: { changeRequestsEnabled: true } };
    },
    status: 204,
    events: [{ type: 'change-request-configuration-updated', data: { requiredApprovals: 3 } }],
  },
  {
    route: changing,
    name: 'leaves the number when nothing is said of it',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production', 2);
      return { params: { projectId, environment: 'production' }, body: { changeRequestsEnabled: true } };
    },
    status: 204,
  },
  {
    route: changing,
    name: 'records nothing when nothing changes',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production', 2);
      const body = { changeRequestsEnabled: true, requiredApprovals: 2 };
      return { params: { projectId, environment: 'production' }, body };
    },
    status: 204,
  },
  {
    route: changing,
    name: 'turns review off',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production', 2);
      return { params: { projectId, environment: 'production' }, body: { changeRequestsEnabled: false } };
    },
    status: 204,
    events: [
      {
        type: 'change-request-configuration-updated',
        preData: { requiredApprovals: 2 },
        data: { changeRequestsEnabled: false, requiredApprovals: null },
      },
    ],
  },
  {
    route: changing,
    name: 'refuses an environment that the project does not have',
    given: async (server) => ({
      params: { projectId: await givenProject(server, { environments: ['development'] }), environment: 'production' },
      body: { changeRequestsEnabled: true },
    }),
    status: 404,
  },
  {
    route: changing,
    name: 'takes no approvals for what is not said, as Terraform sends it',
    given: async (server) => ({
      params: { projectId: await givenProject(server), environment: 'production' },
      body: { changeRequestsEnabled: true, requiredApprovals: 0 },
    }),
    status: 204,
    events: [{ type: 'change-request-configuration-updated', data: { requiredApprovals: 1 } }],
  },
  {
    route: changing,
    name: 'refuses fewer approvals than none',
    given: async (server) => ({
      params: { projectId: await givenProject(server), environment: 'production' },
      body: { changeRequestsEnabled: true, requiredApprovals: -1 },
    }),
    status: 400,
    answer: { details: [{ path: 'requiredApprovals' }] },
  },
  {
    route: changing,
    name: 'is closed to a member of the project',
    given: async (server) => {
      const projectId = await givenProject(server);
      const { token } = await givenMember(server, projectId, 5);
      return {
        params: { projectId, environment: 'production' },
        body: { changeRequestsEnabled: true },
        headers: { authorization: token },
      };
    },
    status: 403,
  },
];
