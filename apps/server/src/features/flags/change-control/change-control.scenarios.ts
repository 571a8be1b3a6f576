import { givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { addStrategy, givenEnvironment, givenFlag, givenProject } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';

const configRoute = 'GET /api/admin/projects/:projectId/change-requests/config' as const;
const setConfigRoute = 'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config' as const;

const listRoute = 'GET /api/admin/change-requests/break-glass' as const;
const acknowledgeRoute = 'POST /api/admin/change-requests/break-glass/:id/acknowledge' as const;

const justified = { verdict: 'justified' };

/**
 * Creates a use of break glass by a Member of a project, and the session of an administrator who may acknowledge it.
 */
async function givenUse(server: TestServer) {
  const params = { ...(await givenFlag(server, {}, await givenProject(server))), environment: 'production' };
  await givenReview(server, params.projectId, 'production');
  const { id: role } = await givenRole(server, { permissions: [{ name: 'BREAK_GLASS_CHANGE_REQUEST' }] });
  const member = await givenUser(server);
  await giveRoles(server, params.projectId, [5, role], { users: [member.id] });
  const own = await logIn(server.anonymous, member);
  const switchOn = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  await server.anonymous.call(switchOn, { params, headers: { ...own, 'yardarm-break-glass': 'Emergency' } });
  const [use] = (await server.anonymous.call(listRoute, { headers: own })).json.uses;
  const headers = await logIn(server.anonymous, await givenUser(server, 'Admin'));
  return { own, headers, params: { id: Number(use.id) } };
}

const ofSegment = 'GET /api/admin/segments/:id/change-requests/config' as const;

const segmentScenarios: readonly Scenario[] = [
  {
    route: ofSegment,
    name: 'shows the reviewed environments that use a shared segment',
    as: 'editor',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const params = { ...(await givenFlag(server, {}, await givenProject(server))), environment: 'production' };
      await addStrategy(server, params, { name: 'default', segments: [id] });
      await givenReview(server, params.projectId, 'production', 2);
      return { params: { id } };
    },
    answer: {
      changeRequestEnabled: true,
      directChanges: 'refused',
      environments: [{ environment: 'production', requiredApprovals: 2 }],
    },
  },
  {
    route: ofSegment,
    name: 'shows that review is required, but not the hidden project',
    as: 'editor',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const projectId = await givenProject(server, { mode: 'private' });
      const params = { ...(await givenFlag(server, {}, projectId)), environment: 'production' };
      await addStrategy(server, params, { name: 'default', segments: [id] });
      await givenReview(server, projectId, 'production');
      return { params: { id } };
    },
    answer: { changeRequestEnabled: true, directChanges: 'refused', environments: [] },
  },
];

const breakGlassScenarios: readonly Scenario[] = [
  {
    route: listRoute,
    name: 'shows changes that bypassed review to their author',
    as: 'anonymous',
    given: async (server) => ({ headers: (await givenUse(server)).own }),
    answer: { uses: [{ environments: ['production'], reason: 'Emergency', own: true }] },
  },
  {
    route: listRoute,
    name: 'shows nothing to an account without permission to approve',
    as: 'viewer',
    answer: { uses: [] },
  },
  {
    route: acknowledgeRoute,
    name: 'removes a use from the list',
    as: 'anonymous',
    given: async (server) => {
      const { headers, params } = await givenUse(server);
      return { headers, params, body: { verdict: 'not-justified', note: 'It could wait' } };
    },
    events: [
      {
        type: 'break-glass-acknowledged',
        environment: 'production',
        data: { verdict: 'not-justified', note: 'It could wait' },
      },
    ],
  },
  ...refusedTo('anonymous', acknowledgeRoute, 403, {
    'answers 403 to the user who broke glass': async (server) => {
      const { own, params } = await givenUse(server);
      return { headers: own, params, body: justified };
    },
  }),
  ...refusedTo('anonymous', acknowledgeRoute, 409, {
    'answers 409 for a use that is acknowledged already': async (server) => {
      const { headers, params } = await givenUse(server);
      await server.anonymous.call(acknowledgeRoute, { params, headers, body: justified });
      return { headers, params, body: justified };
    },
  }),
];

export const changeControlScenarios: readonly Scenario[] = [
  ...breakGlassScenarios,
  ...segmentScenarios,
  {
    route: configRoute,
    name: 'shows each environment of the project',
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production', 3);
      return { params: { projectId } };
    },
    answer: [
      {
        environment: 'development',
        type: 'development',
        changeRequestEnabled: false,
        requiredApprovals: null,
        directChanges: 'open',
      },
      {
        environment: 'production',
        type: 'production',
        changeRequestEnabled: true,
        requiredApprovals: 3,
        directChanges: 'refused',
      },
    ],
  },
  {
    route: setConfigRoute,
    name: 'turns review on with one approval by default',
    given: async (server) => ({
      params: { projectId: await givenProject(server), environment: 'production' },
      body: { changeRequestsEnabled: true },
    }),
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
    route: setConfigRoute,
    name: 'takes the number of approvals from the environment by default',
    given: async (server) => {
      const environment = await givenEnvironment(server, { requiredApprovals: 3 });
      const projectId = await givenProject(server, { environments: [environment] });
      return { params: { projectId, environment }, body: { changeRequestsEnabled: true } };
    },
    events: [{ type: 'change-request-configuration-updated', data: { requiredApprovals: 3 } }],
  },
  {
    route: setConfigRoute,
    name: 'keeps the number when the request has none',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production', 2);
      return { params: { projectId, environment: 'production' }, body: { changeRequestsEnabled: true } };
    },
  },
  {
    route: setConfigRoute,
    name: 'turns review off',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenReview(server, projectId, 'production', 2);
      return { params: { projectId, environment: 'production' }, body: { changeRequestsEnabled: false } };
    },
    events: [
      {
        type: 'change-request-configuration-updated',
        preData: { requiredApprovals: 2 },
        data: { changeRequestsEnabled: false, requiredApprovals: null },
      },
    ],
  },
  {
    route: setConfigRoute,
    name: 'takes 0 approvals as not given, because Terraform sends 0',
    given: async (server) => ({
      params: { projectId: await givenProject(server), environment: 'production' },
      body: { changeRequestsEnabled: true, requiredApprovals: 0 },
    }),
    events: [{ type: 'change-request-configuration-updated', data: { requiredApprovals: 1 } }],
  },
  ...refused(setConfigRoute, 403, {
    'answers 403 to a Member of the project': async (server) => {
      const projectId = await givenProject(server);
      const { token } = await givenMember(server, projectId, 5);
      return {
        params: { projectId, environment: 'production' },
        body: { changeRequestsEnabled: true },
        headers: { authorization: token },
      };
    },
  }),
];
