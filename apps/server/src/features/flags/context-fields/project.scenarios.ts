import { expect } from 'vitest';
import { fields, givenConstraintOn, givenContextField, legalValues } from '#testing/context-fields.ts';
import { freshName, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const list = '/api/admin/projects/:projectId/context' as const;
const fieldPath = `${list}/:contextField` as const;

/** Prepares a request about a context field of a new project. */
const inProject =
  (more: object = {}, body?: object, params: object = {}) =>
  async (server: TestServer) => {
    const projectId = await givenProject(server);
    const contextField = await givenContextField(server, { project: projectId, ...more });
    return { params: { projectId, contextField, ...params }, body };
  };

/** Prepares a request that names a shared field in the path of a project. */
const foreign = (body?: object, params: object = {}) => inProject({ project: null }, body, params);

export const projectContextFieldScenarios: readonly Scenario[] = [
  {
    route: `GET ${list}`,
    name: 'lists only fields of the project',
    as: 'viewer',
    given: async (server) => {
      await givenContextField(server, { project: 'default' });
      return inProject({ name: 'alone-in-its-project' })(server);
    },
    check: ({ json }) => expect(Object.keys(fields(json))).toEqual(['alone-in-its-project']),
  },
  {
    route: `GET ${list}`,
    name: 'lists shared fields too with include, but none of other projects',
    given: async (server) => {
      await givenContextField(server, { name: 'of-another-project', project: await givenProject(server) });
      return { ...(await inProject({ name: 'among-others' })(server)), query: { include: 'context' } };
    },
    check: ({ json }) => {
      const names = Object.keys(fields(json));
      expect(names).toEqual(expect.arrayContaining(['userId', 'among-others']));
      expect(names).not.toContain('of-another-project');
    },
  },
  {
    route: `POST ${list}`,
    name: 'creates a field of the project',
    as: 'editor',
    given: async () => ({ params: { projectId: 'default' }, body: { name: freshName('field'), legalValues } }),
    answer: { project: 'default', legalValues },
    events: [{ type: 'context-field-created', project: 'default', data: { project: 'default', legalValues } }],
  },
  ...refused(`POST ${list}`, 400, {
    'answers 400 for another project than in the path': {
      params: { projectId: 'default' },
      body: { name: 'elsewhere', project: 'other' },
    },
  }),
  ...refused(`POST ${list}`, 409, {
    'answers 409 for a name that is taken in any project': {
      params: { projectId: 'default' },
      body: { name: 'userId' },
    },
  }),
  {
    route: `POST ${list}/validate`,
    name: 'answers 200 for a free name',
    as: 'editor',
    call: { params: { projectId: 'default' }, body: { name: 'free-in-project' } },
  },
  ...refused(`POST ${list}/validate`, 409, {
    'answers 409 for a name that is taken in any project': {
      params: { projectId: 'default' },
      body: { name: 'userId' },
    },
  }),
  {
    route: `GET ${fieldPath}`,
    name: 'shows a field of the project',
    as: 'viewer',
    given: inProject({ legalValues }),
    answer: { legalValues, project: expect.any(String) },
  },
  { route: `GET ${fieldPath}`, name: 'answers 404 for a shared field', given: foreign(), status: 404 },
  {
    route: `PUT ${fieldPath}`,
    name: 'updates the field and records the old and new values',
    as: 'editor',
    given: inProject({}, { description: 'new' }),
    events: [
      {
        type: 'context-field-updated',
        project: expect.any(String) as string,
        preData: { description: null },
        data: { description: 'new' },
      },
    ],
  },
  { route: `PUT ${fieldPath}`, name: 'answers 404 for a shared field', given: foreign({}), status: 404 },
  {
    route: `DELETE ${fieldPath}`,
    name: 'deletes a field of the project',
    as: 'editor',
    given: inProject(),
    events: [{ type: 'context-field-deleted', project: expect.any(String) as string, data: null }],
  },
  ...refused(`DELETE ${fieldPath}`, 409, {
    'answers 409 while a strategy uses the field': async (server) => {
      const call = await inProject()(server);
      await givenConstraintOn(server, call.params.contextField, call.params.projectId);
      return call;
    },
  }),
  { route: `DELETE ${fieldPath}`, name: 'answers 404 for a shared field', given: foreign(), status: 404 },
  {
    route: `POST ${fieldPath}/legal-values`,
    name: 'adds a legal value',
    as: 'editor',
    given: inProject({}, { value: 'a' }),
    events: [{ type: 'context-field-updated', data: { legalValues: [{ value: 'a' }] } }],
  },
  ...refused(`POST ${fieldPath}/legal-values`, 404, {
    'answers 404 for a shared field': foreign({ value: 'a' }),
  }),
  {
    route: `DELETE ${fieldPath}/legal-values/:legalValue`,
    name: 'removes a legal value',
    as: 'editor',
    given: inProject({ legalValues }, undefined, { legalValue: 'eu' }),
    events: [{ type: 'context-field-updated', data: { legalValues: [{ value: 'us' }] } }],
  },
  ...refused(`DELETE ${fieldPath}/legal-values/:legalValue`, 404, {
    'answers 404 for a shared field': foreign(undefined, { legalValue: 'eu' }),
  }),
  {
    route: `GET ${fieldPath}/strategies`,
    name: 'lists the strategies that use the field',
    as: 'viewer',
    given: async (server) => {
      const call = await inProject()(server);
      await givenConstraintOn(server, call.params.contextField, call.params.projectId);
      return call;
    },
    check: ({ json }) => expect(json.strategies).toHaveLength(1),
  },
  { route: `GET ${fieldPath}/strategies`, name: 'answers 404 for a shared field', given: foreign(), status: 404 },
];
