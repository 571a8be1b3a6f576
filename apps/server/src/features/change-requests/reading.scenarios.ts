import { expect } from 'vitest';
import { givenMember } from '../../../testing/access.ts';
import { givenApproved, givenDraft, givenScheduled, givenSent } from '../../../testing/change-requests.ts';
import { givenProject } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';

const inProject = 'GET /api/admin/projects/:projectId/change-requests' as const;
const nowhere = { params: { projectId: 'nowhere', featureName: 'nowhere', environment: 'nowhere', id: 1 } };
const unknown = (route: Scenario['route']): Scenario => ({
  route,
  name: 'does not know the project',
  call: nowhere,
  status: 404,
});

export const readingScenarios: readonly Scenario[] = [
  {
    route: inProject,
    name: 'lists those of the project, but no drafts of others',
    as: 'viewer',
    given: async (server) => {
      const { at, params, author } = await givenSent(server);
      await author.client.call('POST /api/admin/projects/:projectId/environments/:environment/change-requests', {
        params,
        body: { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } },
      });
      return { params: { projectId: at.projectId } };
    },
    status: 200,
    check: ({ json }) => expect(json.map((one: { state: string }) => one.state)).toEqual(['In review']),
  },
  unknown(inProject),
  {
    route: `${inProject}/pending`,
    name: 'lists those that are open, drafts to who made them',
    given: async (server) => {
      const { at, author } = await givenDraft(server);
      return { params: { projectId: at.projectId }, headers: { authorization: author.token } };
    },
    status: 200,
    answer: [{ state: 'Draft' }],
  },
  unknown(`${inProject}/pending`),
  {
    route: `${inProject}/pending/:featureName`,
    name: 'lists those of a flag',
    given: async (server) => ({ params: { ...(await givenSent(server)).params } }),
    status: 200,
    answer: [{ state: 'In review' }],
  },
  {
    route: `${inProject}/pending/:featureName`,
    name: 'lists none of another flag',
    given: async (server) => ({ params: { ...(await givenSent(server)).params, featureName: 'another' } }),
    status: 200,
    check: ({ json }) => expect(json).toEqual([]),
  },
  unknown(`${inProject}/pending/:featureName`),
  {
    route: `${inProject}/scheduled`,
    name: 'lists what is to happen, and when',
    given: async (server) => ({ params: { projectId: (await givenScheduled(server)).at.projectId } }),
    status: 200,
    answer: [
      { environment: 'development', features: [expect.stringMatching(/^flag-/)], schedule: { status: 'pending' } },
    ],
  },
  unknown(`${inProject}/scheduled`),
  {
    route: `${inProject}/actionable`,
    name: 'counts what waits for the caller',
    given: async (server) => ({ params: { projectId: (await givenSent(server)).at.projectId } }),
    status: 200,
    answer: { total: 1 },
  },
  {
    route: `${inProject}/actionable`,
    name: 'counts nothing for who may do nothing about it',
    as: 'viewer',
    given: async (server) => ({ params: { projectId: (await givenApproved(server)).at.projectId } }),
    status: 200,
    answer: { total: 0 },
  },
  unknown(`${inProject}/actionable`),
  {
    route: `${inProject}/count`,
    name: 'counts by state',
    given: async (server) => ({ params: { projectId: (await givenApproved(server)).at.projectId } }),
    status: 200,
    answer: { total: 1, approved: 1, reviewRequired: 0, applied: 0, rejected: 0, cancelled: 0, scheduled: 0 },
  },
  unknown(`${inProject}/count`),
  {
    route: `${inProject}/available-reviewers/:environment`,
    name: 'lists who may approve, through whatever role',
    given: async (server) => {
      const projectId = await givenProject(server);
      const { id } = await givenMember(server, projectId, 4);
      const member = await givenMember(server, projectId, 5);
      return { params: { projectId, environment: 'development', owner: id, member: member.id } };
    },
    status: 200,
    check: ({ json }) => {
      const names = json.map(({ username }: { username: string }) => username);
      expect(names).toContain('admin');
      expect(names.filter((name: string) => name.startsWith('caller-'))).toHaveLength(1);
    },
  },
  unknown(`${inProject}/available-reviewers/:environment`),
  {
    route: `${inProject}/:id`,
    name: 'shows one',
    as: 'viewer',
    given: async (server) => ({ params: (await givenSent(server)).at }),
    status: 200,
    answer: { state: 'In review' },
  },
  {
    route: `${inProject}/:id`,
    name: 'does not show a draft to others',
    given: async (server) => ({ params: (await givenDraft(server)).at }),
    status: 404,
  },
  {
    route: `${inProject}/:id/approvers`,
    name: 'lists who was asked, and what they said',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      const [done, asked] = [await givenMember(server, at.projectId, 4), await givenMember(server, at.projectId, 4)];
      await author.client.call('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
        params: at,
        body: { reviewers: [done.id, asked.id] },
      });
      await done.client.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
        params: at,
        body: { state: 'Approved' },
      });
      return { params: at };
    },
    status: 200,
    answer: [{ status: 'approved' }, { status: 'pending' }],
  },
  unknown(`${inProject}/:id/approvers`),
  {
    route: 'GET /api/admin/search/change-requests',
    name: 'finds those of a state and an author in all projects, page by page',
    given: async (server) => {
      const { author } = await givenSent(server);
      return { query: { createdBy: `IS:${author.id}`, state: 'IS_ANY_OF:In review,Approved', limit: 1 } };
    },
    status: 200,
    answer: { total: 1, changeRequests: [{ state: 'In review' }] },
  },
  {
    route: 'GET /api/admin/search/change-requests',
    name: 'finds those that somebody was asked to approve',
    given: async (server) => {
      const { at, author } = await givenSent(server);
      const { id } = await givenMember(server, at.projectId, 4);
      await author.client.call('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
        params: at,
        body: { reviewers: [id] },
      });
      return { query: { requestedApproverId: `IS:${id}` } };
    },
    status: 200,
    answer: { total: 1 },
  },
  {
    route: 'GET /api/admin/search/change-requests',
    name: 'refuses a state that there is not',
    call: { query: { state: 'IS:Lost' } },
    status: 400,
  },
];
