import { expect } from 'vitest';
import { givenArchived, givenFlag, givenLink, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
const docs = { url: 'https://example.com/a?b=c#d', title: 'Näher 🔎' };

export const linkScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/:projectId/features',
    name: "creates a flag with links from the project's link templates",
    given: async (server) => {
      const projectId = await givenProject(server);
      const linkTemplates = [
        { title: ' Dashboard ', urlTemplate: 'https://example.com/{{project}}?flag={{feature}}&again={{feature}}' },
      ];
      const params = { projectId };
      await server.admin.call('PUT /api/admin/projects/:projectId/settings', { params, body: { linkTemplates } });
      return { params, body: { name: "linked'(1)" } };
    },
    check: async ({ json }, server) => {
      const params = { projectId: json.project, featureName: json.name };
      const flag = await server.admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params });
      const url = `https://example.com/${json.project}?flag=linked'(1)&again=linked'(1)`;
      expect(flag.json.links).toMatchObject([{ title: 'Dashboard', url }]);
    },
    events: [
      { type: 'feature-created' },
      { type: 'feature-link-added', featureName: "linked'(1)", data: { title: 'Dashboard' } },
    ],
  },
  {
    route: `POST ${flag}/link`,
    name: 'adds a link and shows the link in the flag',
    as: 'editor',
    given: async (server) => ({ params: await givenFlag(server), body: docs }),
    events: [{ type: 'feature-link-added', project: 'default', preData: null, data: docs }],
  },
  {
    route: `POST ${flag}/link`,
    name: 'accepts a link without a title',
    given: async (server) => ({ params: await givenFlag(server), body: { url: docs.url, title: '  ' } }),
    events: [{ type: 'feature-link-added', data: { url: docs.url } }],
  },
  ...['', 'example.com', 'javascript:alert(1)', 'https://', 'ftp://example.com', `https://${'x'.repeat(2000)}`].map(
    (url): Scenario => ({
      route: `POST ${flag}/link`,
      name: `rejects the URL ${JSON.stringify(url.slice(0, 30))}`,
      given: async (server) => ({ params: await givenFlag(server), body: { url } }),
      status: 400,
    }),
  ),
  ...refused(`POST ${flag}/link`, 403, {
    'rejects an eleventh link': async (server) => {
      const params = await givenFlag(server);
      for (let n = 0; n < 10; n++) await givenLink(server, docs, params);
      return { params, body: docs };
    },
  }),
  ...refused(`POST ${flag}/link`, 400, {
    'rejects an archived flag': async (server) => ({ params: await givenArchived(server), body: docs }),
  }),
  {
    route: `GET ${flag}`,
    name: 'answers a flag with its links',
    given: async (server) => ({ params: await givenLink(server, docs) }),
    answer: { links: [{ ...docs, id: expect.any(String) as string, feature: expect.any(String) as string }] },
  },
  {
    route: `PUT ${flag}/link/:linkId`,
    name: 'updates a link',
    as: 'editor',
    given: async (server) => ({ params: await givenLink(server, docs), body: { url: 'http://localhost:1/' } }),
    events: [{ type: 'feature-link-updated', preData: docs, data: { url: 'http://localhost:1/' } }],
  },
  ...refused(`PUT ${flag}/link/:linkId`, 404, {
    'answers 404 for a link of another flag': async (server) => ({
      params: { ...(await givenLink(server, docs)), ...(await givenFlag(server)) },
      body: docs,
    }),
  }),
  {
    route: `DELETE ${flag}/link/:linkId`,
    name: 'removes a link',
    as: 'editor',
    given: async (server) => ({ params: await givenLink(server, docs) }),
    events: [{ type: 'feature-link-removed', preData: docs, data: null }],
  },
];
