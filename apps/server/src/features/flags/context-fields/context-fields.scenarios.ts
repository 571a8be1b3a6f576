import { expect } from 'vitest';
import { fields, givenConstraintOn, givenContextField, legalValues } from '#testing/context-fields.ts';
import { freshName, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';
import { projectContextFieldScenarios } from './project.scenarios.ts';

const byName =
  (more: object = {}, body?: object) =>
  async (server: TestServer) => ({ params: { contextField: await givenContextField(server, more) }, body });

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/context',
    name: 'lists the predefined fields in sort order',
    as: 'viewer',
    check: ({ json }) => {
      expect(json.slice(0, 5)).toMatchObject([
        { name: 'environment', stickiness: false, sortOrder: 0, createdAt: null, legalValues: [], usedInFeatures: 0 },
        { name: 'userId', stickiness: true, usedInProjects: 0 },
        { name: 'appName', stickiness: false },
        { name: 'currentTime', stickiness: false },
        { name: 'sessionId', stickiness: true },
      ]);
      expect(json[0]).not.toHaveProperty('project');
    },
  },
  {
    route: 'GET /api/admin/context',
    name: 'counts the flags and projects that use each field',
    given: async (server) => {
      const name = await givenContextField(server, { name: 'counted' });
      const flag = await givenConstraintOn(server, name);
      await givenConstraintOn(server, name, await givenProject(server));
      await givenConstraintOn(server, name, 'default', { ...flag, environment: 'production' });
      return {};
    },
    check: ({ json }) =>
      expect(fields(json).counted).toMatchObject({ usedInFeatures: 2, usedInProjects: 2, sortOrder: 10 }),
  },
  {
    route: 'GET /api/admin/context',
    name: 'lists fields of projects only with include=project',
    given: async (server) => {
      await givenContextField(server, { name: 'left-out', project: 'default' });
      const { json } = await server.admin.call('GET /api/admin/context');
      expect(fields(json)).not.toHaveProperty('left-out');
      return { query: { include: 'project' } };
    },
    check: ({ json }) => {
      expect(fields(json)['left-out']).toMatchObject({ project: 'default' });
      expect(fields(json)).toHaveProperty('userId');
    },
  },
  {
    route: 'GET /api/admin/context/:contextField',
    name: 'shows a context field',
    as: 'viewer',
    given: byName({ description: 'Where', stickiness: true, sortOrder: -3, legalValues }),
    answer: { description: 'Where', stickiness: true, sortOrder: -3, legalValues, createdAt: expect.any(String) },
  },
  {
    route: 'GET /api/admin/context/:contextField/strategies',
    name: 'lists the strategies that use the field',
    as: 'viewer',
    given: async (server) => {
      const contextField = await givenContextField(server);
      await givenConstraintOn(server, contextField);
      return { params: { contextField } };
    },
    check: ({ json }) => {
      const where = { strategyName: 'default', projectId: 'default', environment: 'development' };
      expect(json.strategies).toEqual([{ id: expect.any(String), featureName: expect.any(String), ...where }]);
    },
  },
  {
    route: 'POST /api/admin/context/validate',
    name: 'answers 200 for a free name',
    as: 'editor',
    call: { body: { name: 'free' } },
  },
  ...refused('POST /api/admin/context/validate', 409, {
    'answers 409 for a name that is taken': { body: { name: 'userId' } },
  }),
];

const creating: readonly Scenario[] = [
  {
    route: 'POST /api/admin/context',
    name: 'creates a context field',
    as: 'editor',
    given: async () => ({ body: { name: freshName('field'), legalValues, stickiness: true } }),
    answer: { legalValues, stickiness: true, usedInFeatures: 0 },
    check: ({ json }) => expect(json).not.toHaveProperty('description'),
    events: [{ type: 'context-field-created', project: null, preData: null, data: { legalValues, stickiness: true } }],
  },
  {
    route: 'POST /api/admin/context',
    name: 'creates a context field of a project',
    given: async () => ({ body: { name: freshName('field'), project: 'default' } }),
    answer: { project: 'default' },
    events: [{ type: 'context-field-created', project: 'default', data: { project: 'default' } }],
  },
  ...[
    { name: 'no/path' },
    { name: 'nowhere-to-be', project: 'nowhere' },
    { name: 'twice', legalValues: [{ value: 'a' }, { value: 'a' }] },
  ].map(
    (body): Scenario => ({
      route: 'POST /api/admin/context',
      name: `refuses ${JSON.stringify(body)}`,
      call: { body },
      status: 400,
    }),
  ),
  ...refused('POST /api/admin/context', 409, {
    'answers 409 for a name that is taken': { body: { name: 'userId' } },
  }),
];

const changing: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/context/:contextField',
    name: 'updates the field and records the old and new values',
    as: 'editor',
    given: byName({ description: 'stays', stickiness: true }, { sortOrder: 4, legalValues }),
    events: [
      {
        type: 'context-field-updated',
        preData: { description: 'stays', stickiness: true, legalValues: [] },
        data: { description: 'stays', stickiness: true, sortOrder: 4, legalValues },
      },
    ],
  },
  ...refused('PUT /api/admin/context/:contextField', 400, {
    'answers 400 for a change of the project': byName({}, { project: 'default' }),
  }),
  {
    route: 'POST /api/admin/context/:contextField/legal-values',
    name: 'adds a legal value at the end',
    as: 'editor',
    given: byName({ legalValues: [{ value: 'z' }] }, { value: 'a', description: 'first' }),
    events: [
      {
        type: 'context-field-updated',
        preData: { legalValues: [{ value: 'z' }] },
        data: { legalValues: [{ value: 'z' }, { value: 'a', description: 'first' }] },
      },
    ],
  },
  {
    route: 'POST /api/admin/context/:contextField/legal-values',
    name: 'replaces the description of an existing legal value',
    given: byName({ legalValues }, { value: 'eu', description: 'Europe' }),
    events: [
      {
        type: 'context-field-updated',
        data: { legalValues: [{ value: 'eu', description: 'Europe' }, { value: 'us' }] },
      },
    ],
  },
  {
    route: 'POST /api/admin/context/:contextField/legal-values',
    name: 'records nothing when the legal value exists unchanged',
    given: byName({ legalValues }, { value: 'us' }),
  },
  {
    route: 'DELETE /api/admin/context/:contextField/legal-values/:legalValue',
    name: 'removes a legal value with special characters',
    as: 'editor',
    given: async (server) => {
      const value = 'a/b c?';
      const contextField = await givenContextField(server, { legalValues: [{ value }, { value: 'stays' }] });
      return { params: { contextField, legalValue: value } };
    },
    events: [{ type: 'context-field-updated', data: { legalValues: [{ value: 'stays' }] } }],
  },
];

const deleting: readonly Scenario[] = [
  {
    route: 'DELETE /api/admin/context/:contextField',
    name: 'deletes a context field',
    as: 'editor',
    given: byName({ legalValues }),
    events: [{ type: 'context-field-deleted', project: null, data: null, preData: { legalValues } }],
  },
  ...refused('DELETE /api/admin/context/:contextField', 409, {
    'answers 409 while a strategy uses the field, and names the flag': async (server) => {
      const contextField = await givenContextField(server);
      await givenConstraintOn(server, contextField);
      return { params: { contextField } };
    },
    'answers 409 while a segment uses the field, and names the segment': async (server) => {
      const contextField = await givenContextField(server);
      const constraints = [{ contextName: contextField, operator: 'IN', values: ['a'] }];
      await givenSegment(server, { name: 'asking', constraints });
      return { params: { contextField } };
    },
  }),
];

export const contextFieldScenarios: readonly Scenario[] = [
  ...reading,
  ...creating,
  ...changing,
  ...deleting,
  ...projectContextFieldScenarios,
];
