import type { contextFieldRoutes, projectContextFieldRoutes } from '@yardarm/contract';
import { findProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { badField } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { strategiesAsText } from './present.ts';
import { presentFields, presentOne } from './present-with-uses.ts';
import { projectContextFieldHandlers } from './project-routes.ts';
import { strategiesUsing } from './queries.ts';

type ContextFieldHandlers = Handlers<typeof contextFieldRoutes> & Handlers<typeof projectContextFieldRoutes>;

/** All routes of context fields. */
export function contextFieldHandlers(database: Database): ContextFieldHandlers {
  return { ...globalHandlers(database), ...projectContextFieldHandlers(database) };
}

function globalHandlers({ db, write }: Database): Handlers<typeof contextFieldRoutes> {
  return {
    'GET /api/admin/context': async ({ query, caller }) => {
      const project = query.include === undefined || query.include === 'root' ? undefined : '*';
      return { body: await presentFields(db, { shared: true, project }, caller) };
    },
    'POST /api/admin/context': async ({ body, author, caller }) => {
      const { name, project = null } = body;
      const field = await write(author, async (tx) => {
        const hidden = project !== null && caller.hidden.has(project);
        if (project !== null && (hidden || (await findProject(tx.db, project)) === undefined)) {
          throw badField('project', `must be the id of a project, not ${project}`);
        }
        return commands.createContextField(tx, name, body, project);
      });
      return { body: await presentOne(db, field, caller), headers: { location: `context/${name}` } };
    },
    'POST /api/admin/context/validate': async ({ body, caller }) => commands.requireFreeName(db, caller, body.name),
    'GET /api/admin/context/:contextField': async ({ params, caller }) => {
      const field = await commands.requireVisibleField(db, params.contextField, caller);
      return { body: await presentOne(db, field, caller) };
    },
    'PUT /api/admin/context/:contextField': async ({ params, body, author, caller }) => {
      const { name } = await commands.requireVisibleField(db, params.contextField, caller);
      const ref = { name };
      await write(author, (tx) => commands.updateContextField(tx, ref, body));
    },
    'DELETE /api/admin/context/:contextField': async ({ params, author, caller }) => {
      const { name } = await commands.requireVisibleField(db, params.contextField, caller);
      await write(author, (tx) => commands.deleteContextField(tx, { name }));
    },
    'POST /api/admin/context/:contextField/legal-values': async ({ params, body, author, caller }) => {
      const { name } = await commands.requireVisibleField(db, params.contextField, caller);
      const ref = { name };
      await write(author, (tx) => commands.setLegalValue(tx, ref, body));
    },
    'DELETE /api/admin/context/:contextField/legal-values/:legalValue': async ({ params, author, caller }) => {
      const { name } = await commands.requireVisibleField(db, params.contextField, caller);
      const ref = { name };
      await write(author, (tx) => commands.removeLegalValue(tx, ref, params.legalValue));
    },
    'GET /api/admin/context/:contextField/strategies': async ({ params, caller }) => {
      const { name } = await commands.requireVisibleField(db, params.contextField, caller);
      return { body: strategiesAsText(await strategiesUsing(db, name), caller) };
    },
  };
}
