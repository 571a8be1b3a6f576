import { expect } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { givenApproved, givenDraft, givenScheduled, givenSent } from '#testing/change-requests.ts';
import { givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const inProject = 'GET /api/admin/projects/:projectId/change-requests' as const;
export const readingScenarios: readonly Scenario[] = [
  {
    route: inProject,
    name: 'lists the requests of the project without drafts of others',
    as: 'viewer',
    given: async (server) => {
      const { at, params, author } = await givenSent(server);
      await author.client.call('POST /api/admin/projects/:projectId/environments/:environment/change-requests', {
        params,
        body: { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } },
      });
      return { params: { projectId: at.projectId } };
    },
    check: ({ json }) => expect(json.map((request: { state: string }) => request.state)).toEqual(['In review']),
  },
  {
    route: `${inProject}/pending`,
    name: 'lists open requests; drafts only for their author',
    given: async (server) => {
      const { at, author } = await givenDraft(server);
      return { params: { projectId: at.projectId }, headers: { authorization: author.token } };
    },
    answer: [{ state: 'Draft' }],
  },
  {
    route: `${inProject}/pending/:featureName`,
    name: 'lists the requests of a flag',
    given: async (server) => ({ params: { ...(await givenSent(server)).params } }),
    answer: [{ state: 'In review' }],
  },
  {
    route: `${inProject}/pending/:featureName`,
    name: 'lists nothing for another flag',
    given: async (server) => ({ params: { ...(await givenSent(server)).params, featureName: 'another' } }),
    check: ({ json }) => expect(json).toEqual([]),
  },
  {
    route: `${inProject}/scheduled`,
    name: 'lists scheduled requests',
    given: async (server) => ({ params: { projectId: (await givenScheduled(server)).at.projectId } }),
    answer: [
      { environment: 'development', features: [expect.stringMatching(/^flag-/)], schedule: { status: 'pending' } },
    ],
  },
  {
    route: `${inProject}/actionable`,
    name: 'counts the requests that the caller can act on',
    given: async (server) => ({ params: { projectId: (await givenSent(server)).at.projectId } }),
    answer: { total: 1 },
  },
  {
    route: `${inProject}/actionable`,
    name: 'counts nothing for a viewer',
    as: 'viewer',
    given: async (server) => ({ params: { projectId: (await givenApproved(server)).at.projectId } }),
    answer: { total: 0 },
  },
  {
    route: `${inProject}/count`,
    name: 'counts by state',
    given: async (server) => ({ params: { projectId: (await givenApproved(server)).at.projectId } }),
    answer: { total: 1, approved: 1, reviewRequired: 0, applied: 0, rejected: 0, cancelled: 0, scheduled: 0 },
  },
  {
    route: `${inProject}/available-reviewers/:environment`,
    name: 'lists accounts that may approve, through a project or root role',
    given: async (server) => {
      const projectId = await givenProject(server);
      const { id } = await givenMember(server, projectId, 4);
      const member = await givenMember(server, projectId, 5);
      return { params: { projectId, environment: 'development', owner: id, member: member.id } };
    },
    check: ({ json }) => {
      const names = json.map(({ username }: { username: string }) => username);
      expect(names).toContain('admin');
      expect(names.filter((name: string) => name.startsWith('caller-'))).toHaveLength(1);
    },
  },
  {
    route: `${inProject}/:id`,
    name: 'shows a request',
    as: 'viewer',
    given: async (server) => ({ params: (await givenSent(server)).at }),
    answer: { state: 'In review' },
  },
  ...refused(`${inProject}/:id`, 404, {
    'answers 404 for the draft of another account': async (server) => ({ params: (await givenDraft(server)).at }),
  }),
  {
    route: `${inProject}/:id/approvers`,
    name: 'lists the approvers with their review',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      const [done, pending] = [await givenMember(server, at.projectId, 4), await givenMember(server, at.projectId, 4)];
      await author.client.call('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
        params: at,
        body: { reviewers: [done.id, pending.id] },
      });
      await done.client.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
        params: at,
        body: { state: 'Approved' },
      });
      return { params: at };
    },
    answer: [{ status: 'approved' }, { status: 'pending' }],
  },
  {
    route: 'GET /api/admin/search/change-requests',
    name: 'finds requests by state and author in all projects, with paging',
    given: async (server) => {
      const { author } = await givenSent(server);
      return { query: { createdBy: `IS:${author.id}`, state: 'IS_ANY_OF:In review,Approved', limit: 1 } };
    },
    answer: { total: 1, changeRequests: [{ state: 'In review' }] },
  },
  {
    route: 'GET /api/admin/search/change-requests',
    name: 'finds requests by approver',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      const { id } = await givenMember(server, at.projectId, 4);
      await author.client.call('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
        params: at,
        body: { reviewers: [id] },
      });
      return { query: { requestedApproverId: `IS:${id}` } };
    },
    answer: { total: 1 },
  },
  ...refused('GET /api/admin/search/change-requests', 400, {
    'answers 400 for an unknown state': { query: { state: 'IS:Lost' } },
  }),
];
