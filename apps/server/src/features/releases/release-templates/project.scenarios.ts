import type { Call } from '#testing/client.ts';
import { givenTemplate } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const all = '/api/admin/release-plan-templates' as const;
const one = `${all}/:templateId` as const;
const name = 'Of a project';

/** Creates a template of a project, and returns a call with its id, and with `body` and its name, if given. */
const givenOf =
  (project: string, body?: object) =>
  async (server: TestServer): Promise<Call> => {
    const template = await givenTemplate(server, { project });
    const params = { templateId: template.id };
    return body === undefined ? { params } : { params, body: { name: template.name, ...body } };
  };
const inDefault = givenOf('default');

/** Requests about templates of a project. */
export const projectTemplateScenarios: readonly Scenario[] = [
  {
    route: `POST ${all}`,
    name: 'creates a template of a project, and records the event in the project',
    as: 'editor',
    given: async () => ({ body: { name, project: 'default' } }),
    answer: { name, project: 'default' },
    events: [{ type: 'release-plan-template-created', project: 'default', data: { project: 'default' } }],
  },
  {
    route: `POST ${all}`,
    name: 'creates a template of all projects when the project is null',
    given: async () => ({ body: { name: 'Of all', project: null } }),
    answer: { project: null },
    events: [{ type: 'release-plan-template-created', project: null }],
  },
  ...refused(`POST ${all}`, 409, {
    'refuses a name that a template of a project has': async (server) => ({
      body: { name: (await givenTemplate(server, { project: 'default' })).name },
    }),
  }),
  ...refused(`POST ${all}`, 400, {
    'refuses a project that does not exist': async () => ({ body: { name: 'Nowhere', project: 'nowhere' } }),
  }),
  {
    route: `PUT ${one}`,
    name: 'keeps the project that the request omits',
    given: givenOf('default', { description: 'New' }),
    answer: { project: 'default', description: 'New' },
    events: [{ type: 'release-plan-template-updated', project: 'default' }],
  },
  {
    route: `PUT ${one}`,
    name: 'moves a template of a project to all projects',
    as: 'editor',
    given: givenOf('default', { project: null }),
    answer: { project: null },
    events: [
      {
        type: 'release-plan-template-updated',
        project: null,
        preData: { project: 'default' },
        data: { project: null },
      },
    ],
  },
  ...refused(`PUT ${one}`, 400, {
    'refuses a project that does not exist': givenOf('default', { project: 'nowhere' }),
  }),
  {
    route: `POST ${all}/archive/:templateId`,
    name: 'archives a template of a project',
    given: inDefault,
    events: [{ type: 'release-plan-template-archived', project: 'default' }],
  },
  {
    route: `POST ${all}/revive/:templateId`,
    name: 'revives a template of a project',
    given: async (server) => {
      const call = await inDefault(server);
      await server.admin.call(`POST ${all}/archive/:templateId`, call);
      return call;
    },
    events: [{ type: 'release-plan-template-revived', project: 'default' }],
  },
  {
    route: `DELETE ${one}`,
    name: 'deletes a template of a project',
    given: inDefault,
    events: [{ type: 'release-plan-template-deleted', project: 'default' }],
  },
];
