import type { projectContextFieldRoutes } from '@yardarm/contract';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { badField } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { strategiesAsText } from './present.ts';
import { presentFields, presentOne } from './present-with-uses.ts';
import { strategiesUsing } from './queries.ts';

export function projectContextFieldHandlers({ db, write }: Database): Handlers<typeof projectContextFieldRoutes> {
  return {
    'GET /api/admin/projects/:projectId/context': async ({ params, query, caller }) => {
      const { id: project } = await requireProject(db, params.projectId);
      return { body: await presentFields(db, { shared: query.include !== undefined, project }, caller) };
    },
    'POST /api/admin/projects/:projectId/context': async ({ params, body, author, caller }) => {
      const { name, project } = body;
      if (project !== undefined && project !== params.projectId) {
        throw badField('project', `must be ${params.projectId}, as in the path`);
      }
      const field = await write(author, async (tx) => {
        const { id } = await requireProject(tx.db, params.projectId);
        return commands.createContextField(tx, name, body, id);
      });
      return { body: await presentOne(db, field, caller), headers: { location: `context/${name}` } };
    },
    'POST /api/admin/projects/:projectId/context/validate': async ({ params, body, caller }) => {
      await requireProject(db, params.projectId);
      await commands.requireFreeName(db, caller, body.name);
    },
    'GET /api/admin/projects/:projectId/context/:contextField': async ({ params, caller }) => {
      const field = await commands.requireContextField(db, refOf(params));
      return { body: await presentOne(db, field, caller) };
    },
    'PUT /api/admin/projects/:projectId/context/:contextField': async ({ params, body, author }) =>
      write(author, (tx) => commands.updateContextField(tx, refOf(params), body)),
    'DELETE /api/admin/projects/:projectId/context/:contextField': async ({ params, author }) =>
      write(author, (tx) => commands.deleteContextField(tx, refOf(params))),
    'POST /api/admin/projects/:projectId/context/:contextField/legal-values': async ({ params, body, author }) =>
      write(author, (tx) => commands.setLegalValue(tx, refOf(params), body)),
    'DELETE /api/admin/projects/:projectId/context/:contextField/legal-values/:legalValue': async (input) => {
      const { params, author } = input;
      await write(author, (tx) => commands.removeLegalValue(tx, refOf(params), params.legalValue));
    },
    'GET /api/admin/projects/:projectId/context/:contextField/strategies': async ({ params, caller }) => {
      const { name } = await commands.requireContextField(db, refOf(params));
      return { body: strategiesAsText(await strategiesUsing(db, name), caller) };
    },
  };
}

function refOf(params: { readonly projectId: string; readonly contextField: string }): commands.ContextFieldRef {
  return { project: params.projectId, name: params.contextField };
}
