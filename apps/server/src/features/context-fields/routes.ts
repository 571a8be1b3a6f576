import type { contextFieldRoutes, projectContextFieldRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import { badField } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { findProject } from '../projects/index.ts';
import * as commands from './commands.ts';
import { projectContextFieldHandlers } from './project-routes.ts';
import { strategiesAsking } from './queries.ts';
import { presentFields, presentOne } from './reading.ts';

type ContextFieldHandlers = Handlers<typeof contextFieldRoutes> & Handlers<typeof projectContextFieldRoutes>;

/** All routes of context fields. */
export function contextFieldHandlers(database: Database): ContextFieldHandlers {
  return { ...globalHandlers(database), ...projectContextFieldHandlers(database) };
}

function globalHandlers({ db, write }: Database): Handlers<typeof contextFieldRoutes> {
  return {
    'GET /api/admin/context': async ({ query }) => {
      const project = query.include === undefined ? undefined : '*';
      return { status: 200, body: await presentFields(db, { ofAll: true, project }) };
    },
    'POST /api/admin/context': async ({ body, caller, request }) => {
      const { name, project = null } = body;
      const field = await write(authorOf(caller, request), async (tx) => {
        if (project !== null && (await findProject(tx.db, project)) === undefined) {
          throw badField('project', `must be the id of a project, not ${project}`);
        }
        return commands.createContextField(tx, name, body, project);
      });
      return { status: 201, body: await presentOne(db, field), headers: { location: `context/${name}` } };
    },
    'POST /api/admin/context/validate': async ({ body }) => {
      await commands.requireFreeName(db, body.name);
      return { status: 200 };
    },
    'GET /api/admin/context/:contextField': async ({ params }) => {
      const field = await commands.requireContextField(db, { name: params.contextField });
      return { status: 200, body: await presentOne(db, field) };
    },
    'PUT /api/admin/context/:contextField': async ({ params, body, caller, request }) => {
      const ref = { name: params.contextField };
      await write(authorOf(caller, request), (tx) => commands.updateContextField(tx, ref, body));
      return { status: 200 };
    },
    'DELETE /api/admin/context/:contextField': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteContextField(tx, { name: params.contextField }));
      return { status: 200 };
    },
    'POST /api/admin/context/:contextField/legal-values': async ({ params, body, caller, request }) => {
      const ref = { name: params.contextField };
      await write(authorOf(caller, request), (tx) => commands.setLegalValue(tx, ref, body));
      return { status: 200 };
    },
    'DELETE /api/admin/context/:contextField/legal-values/:legalValue': async ({ params, caller, request }) => {
      const ref = { name: params.contextField };
      await write(authorOf(caller, request), (tx) => commands.removeLegalValue(tx, ref, params.legalValue));
      return { status: 200 };
    },
    'GET /api/admin/context/:contextField/strategies': async ({ params }) => {
      const { name } = await commands.requireContextField(db, { name: params.contextField });
      return { status: 200, body: { strategies: await strategiesAsking(db, name) } };
    },
  };
}
