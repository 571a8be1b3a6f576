import type { apiTokenRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import type { Database } from '../../storage/database.ts';
import * as commands from './commands.ts';
import { presentToken } from './present.ts';
import * as store from './store.ts';
import type { ApiToken } from './token.ts';

/** `limit`: most API tokens of the instance. */
export function apiTokenHandlers(database: Database, limit: number): Handlers<typeof apiTokenRoutes> {
  const { db, write } = database;
  return {
    'GET /api/admin/api-tokens': async ({ caller }) => {
      const tokens = (await store.listTokens(db)).filter(readableBy(caller));
      return { status: 200, body: { tokens: tokens.map(presentToken) } };
    },
    'POST /api/admin/api-tokens': async ({ body, caller, request }) => {
      commands.requireUse(caller, 'CREATE', body.type);
      commands.requireOpenable(caller, body.projects);
      const input = { ...body, name: body.tokenName, expiresAt: body.expiresAt ?? null };
      const created = await write(authorOf(caller, request), (tx) => commands.createToken(tx, limit, input));
      return createdAnswer(created);
    },
    'GET /api/admin/api-tokens/:name': async ({ params, caller }) => {
      const tokens = (await store.listTokens(db, params.name)).filter(readableBy(caller));
      return { status: 200, body: { tokens: tokens.map(presentToken) } };
    },
    'PUT /api/admin/api-tokens/:token': async ({ params, body, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.setExpiry(tx, caller, params.token, body.expiresAt));
      return { status: 200 };
    },
    'DELETE /api/admin/api-tokens/:token': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteToken(tx, caller, params.token));
      return { status: 200 };
    },
    ...projectTokenHandlers(database, limit),
  };
}

type ProjectRoute = Extract<keyof typeof apiTokenRoutes, `${string}/projects/${string}`>;

function projectTokenHandlers(
  { db, write }: Database,
  limit: number,
): Pick<Handlers<typeof apiTokenRoutes>, ProjectRoute> {
  return {
    'GET /api/admin/projects/:projectId/api-tokens': async ({ params, caller }) => {
      await commands.requireProject(db, params.projectId);
      const tokens = (await store.listTokens(db)).filter(
        (token) => token.projects.includes(params.projectId) && commands.maySee(caller, token),
      );
      return { status: 200, body: { tokens: tokens.map(presentToken) } };
    },
    'POST /api/admin/projects/:projectId/api-tokens': async ({ params, body, caller, request }) => {
      const projects = [params.projectId];
      const input = { ...body, name: body.tokenName, expiresAt: body.expiresAt ?? null, projects };
      const created = await write(authorOf(caller, request), async (tx) => {
        await commands.requireProject(tx.db, params.projectId);
        return commands.createToken(tx, limit, input);
      });
      return createdAnswer(created);
    },
    'DELETE /api/admin/projects/:projectId/api-tokens/:token': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), async (tx) => {
        await commands.requireProject(tx.db, params.projectId);
        await commands.deleteProjectToken(tx, params.projectId, params.token);
      });
      return { status: 200 };
    },
  };
}

function readableBy(caller: Identity): (token: ApiToken) => boolean {
  return (token) => commands.mayUse(caller, 'READ', token.type) && commands.maySee(caller, token);
}

function createdAnswer({ token, secret }: Awaited<ReturnType<typeof commands.createToken>>) {
  return { status: 201 as const, body: { ...presentToken(token), secret }, headers: { location: 'api-tokens' } };
}
