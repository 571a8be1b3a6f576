import { expect } from 'vitest';
import { givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const byProject = async (server: TestServer) => ({ params: { projectId: await givenProject(server) } });

export const settingsScenarios: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'sets the mode and the naming pattern',
    given: async (server) => ({
      ...(await byProject(server)),
      body: { mode: 'protected', featureNaming: { pattern: '[a-z]+', example: 'abc', description: null } },
    }),
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
    name: 'sets the flag limit and keeps other settings',
    given: async (server) => ({ ...(await byProject(server)), body: { featureLimit: 7 } }),
    events: [{ type: 'project-updated', preData: { featureLimit: null }, data: { featureLimit: 7, mode: 'open' } }],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'removes the flag limit',
    given: async (server) => ({
      params: { projectId: await givenProject(server, { featureLimit: 7 }) },
      body: { featureLimit: null },
    }),
    events: [{ type: 'project-updated', preData: { featureLimit: 7 }, data: { featureLimit: null } }],
  },
  {
    route: 'GET /api/admin/projects/:projectId/overview',
    name: 'shows the flag limit',
    given: async (server) => ({ params: { projectId: await givenProject(server, { featureLimit: 7 }) } }),
    answer: { featureLimit: 7 },
  },
  {
    route: 'PUT /api/admin/projects/:projectId/settings',
    name: 'sets the links of new flags',
    given: async (server) => ({
      ...(await byProject(server)),
      body: { linkTemplates: [{ title: null, urlTemplate: 'https://example.com/{{project}}?q={{feature}}' }] },
    }),
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
  ...refused('PUT /api/admin/projects/:projectId/settings', 400, {
    'answers 400 for an invalid flag limit': async (server) => ({
      ...(await byProject(server)),
      body: { featureLimit: 0 },
    }),
    'answers 400 for a link with another scheme than http and https': async (server) => ({
      ...(await byProject(server)),
      body: { linkTemplates: [{ urlTemplate: 'javascript:{{feature}}' }] },
    }),
    'answers 400 for an invalid regular expression': async (server) => ({
      ...(await byProject(server)),
      body: { featureNaming: { pattern: '(' } },
    }),
    'answers 400 for an example that does not match the pattern': async (server) => ({
      ...(await byProject(server)),
      body: { featureNaming: { pattern: '[a-z]+', example: 'ABC' } },
    }),
  }),
];
