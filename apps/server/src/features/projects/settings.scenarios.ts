import { expect } from 'vitest';
import { givenProject } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

const byProject = async (server: TestServer) => ({ params: { projectId: await givenProject(server) } });
const nowhere = { params: { projectId: 'nowhere' } };

export const settingsScenarios: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'sets the mode and the naming of flags',
    given: async (server) => ({
      ...(await byProject(server)),
      body: { mode: 'protected', featureNaming: { pattern: '[a-z]+', example: 'abc', description: null } },
    }),
    status: 200,
    events: [
      {
        type: 'project-updated',
        preData: { mode: 'open' },
        data: { mode: 'protected', featureNaming: { pattern: '[a-z]+', example: 'abc', description: null } },
      },
    ],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'sets how many flags the project takes, and leaves the rest',
    given: async (server) => ({ ...(await byProject(server)), body: { featureLimit: 7 } }),
    status: 200,
    events: [{ type: 'project-updated', preData: { featureLimit: null }, data: { featureLimit: 7, mode: 'open' } }],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'takes the limit of flags away',
    given: async (server) => ({
      params: { projectId: await givenProject(server, { featureLimit: 7 }) },
      body: { featureLimit: null },
    }),
    status: 200,
    events: [{ type: 'project-updated', preData: { featureLimit: 7 }, data: { featureLimit: null } }],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'refuses a limit that is no number of flags',
    given: async (server) => ({ ...(await byProject(server)), body: { featureLimit: 0 } }),
    status: 400,
    answer: { details: [{ path: 'featureLimit' }] },
  },
  {
    route: 'GET /api/admin/projects/:projectId/overview',
    name: 'shows how many flags the project takes',
    given: async (server) => ({ params: { projectId: await givenProject(server, { featureLimit: 7 }) } }),
    status: 200,
    answer: { featureLimit: 7 },
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'sets what links new flags get',
    given: async (server) => ({
      ...(await byProject(server)),
      body: { linkTemplates: [{ title: null, urlTemplate: 'https://example.com/{{project}}?q={{feature}}' }] },
    }),
    status: 200,
    check: async (reply, server) => {
      const { json } = await server.admin.call('GET /api/admin/events');
      const { linkTemplates } = json.events[0].data;
      const params = { projectId: json.events[0].project };
      const overview = await server.admin.call('GET /api/admin/projects/:projectId/overview', { params });
      expect([reply.text, overview.json.linkTemplates]).toEqual(['', linkTemplates]);
    },
    events: [
      {
        type: 'project-updated',
        data: { linkTemplates: [{ title: null, urlTemplate: 'https://example.com/{{project}}?q={{feature}}' }] },
      },
    ],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'refuses a link that leads out of the web',
    given: async (server) => ({
      ...(await byProject(server)),
      body: { linkTemplates: [{ urlTemplate: 'javascript:{{feature}}' }] },
    }),
    status: 400,
    answer: { details: [{ path: 'linkTemplates.0.urlTemplate' }] },
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'refuses a pattern that is none',
    given: async (server) => ({ ...(await byProject(server)), body: { featureNaming: { pattern: '(' } } }),
    status: 400,
    answer: { details: [{ path: 'featureNaming.pattern' }] },
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'refuses an example that the pattern does not match',
    given: async (server) => ({
      ...(await byProject(server)),
      body: { featureNaming: { pattern: '[a-z]+', example: 'ABC' } },
    }),
    status: 400,
    answer: { details: [{ path: 'featureNaming.example' }] },
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'does not know the project',
    call: { ...nowhere, body: { mode: 'private' } },
    status: 404,
  },
];
