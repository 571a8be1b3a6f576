import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Input, type RouteKey } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ContextField = Answer<'GET /api/admin/context'>[number];
type NewContextField = Input<'POST /api/admin/context'>['body'];
type ChangedContextField = Input<'PUT /api/admin/context/:contextField'>['body'];

/** The routes to invalidate after a change of context fields. */
export const changedByContextFields: readonly RouteKey[] = [
  'GET /api/admin/context',
  'GET /api/admin/projects/:projectId/context',
];

/** Context fields of all projects. */
const ofAllProjects = {
  place: {},
  needs: {
    create: ['CREATE_CONTEXT_FIELD'],
    update: ['UPDATE_CONTEXT_FIELD'],
    remove: ['DELETE_CONTEXT_FIELD'],
  },
  list: () => apiQuery('GET /api/admin/context'),
  usage: (contextField: string) =>
    apiQuery(
      'GET /api/admin/context/:contextField/strategies',
      { params: { contextField } },
      ({ strategies }) => strategies,
    ),
  get: (contextField: string) => api('GET /api/admin/context/:contextField', { params: { contextField } }),
  create: (body: NewContextField): Promise<unknown> => api('POST /api/admin/context', { body }),
  update: (contextField: string, body: ChangedContextField): Promise<unknown> =>
    api('PUT /api/admin/context/:contextField', { params: { contextField }, body }),
  remove: (contextField: string): Promise<unknown> =>
    api('DELETE /api/admin/context/:contextField', { params: { contextField } }),
};

/** Context fields of one project. */
const ofProject = (projectId: string) => ({
  place: { project: projectId },
  needs: {
    create: ['CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
    update: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
    remove: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  },
  list: () => apiQuery('GET /api/admin/projects/:projectId/context', { params: { projectId } }),
  usage: (contextField: string) =>
    apiQuery(
      'GET /api/admin/projects/:projectId/context/:contextField/strategies',
      {
        params: { projectId, contextField },
      },
      ({ strategies }) => strategies,
    ),
  get: (contextField: string) =>
    api('GET /api/admin/projects/:projectId/context/:contextField', { params: { projectId, contextField } }),
  create: (body: NewContextField): Promise<unknown> =>
    api('POST /api/admin/projects/:projectId/context', { params: { projectId }, body }),
  update: (contextField: string, body: ChangedContextField): Promise<unknown> =>
    api('PUT /api/admin/projects/:projectId/context/:contextField', { params: { projectId, contextField }, body }),
  remove: (contextField: string): Promise<unknown> =>
    api('DELETE /api/admin/projects/:projectId/context/:contextField', { params: { projectId, contextField } }),
});

export type ContextFieldRoutes = ReturnType<typeof ofProject> | typeof ofAllProjects;

/** Returns the calls for the context fields of all projects, or of one project. */
export function contextFieldRoutes(projectId: string | undefined): ContextFieldRoutes {
  return projectId === undefined ? ofAllProjects : ofProject(projectId);
}

/**
 * The context fields that constraints may use: those of all projects, and with `projectId` also those of that project.
 */
export const selectableFields = (projectId: string | undefined) =>
  queryOptions({
    queryKey: ['GET /api/admin/context', 'selectable', projectId],
    queryFn: () =>
      projectId === undefined
        ? api('GET /api/admin/context')
        : api('GET /api/admin/projects/:projectId/context', { params: { projectId }, query: { include: 'context' } }),
  });
