import type { apiTokenRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { authorOf } from '#http/request.ts';
import type { Identity } from '#kernel/caller.ts';
import { requireFuture } from '#kernel/future.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { presentToken } from './present.ts';
import * as store from './store.ts';
import type { ApiToken } from './token.ts';

export function apiTokenHandlers(database: Database, options: commands.TokenOptions): Handlers<typeof apiTokenRoutes> {
  const { db, write } = database;
  const list = async (caller: Identity, name?: string) => {
    const tokens = (await store.listTokens(db, name)).filter(readableBy(caller));
    // A token for all projects opens private projects, too: its secret is shown only to callers who see them all.
    const withSecret = tokens.filter(({ projects }) => caller.hidden.size === 0 || !projects.includes('*'));
    return { status: 200 as const, body: { tokens: await presentAll(database, options, tokens, withSecret) } };
  };
  return {
    'GET /api/admin/api-tokens': ({ caller }) => list(caller),
    'POST /api/admin/api-tokens': async ({ body, caller, request }) => {
      commands.requireUse(caller, 'CREATE', body.type);
      commands.requireVisibleProjects(caller, body.projects);
      const input = { ...body, name: body.tokenName, expiresAt: body.expiresAt ?? null };
      const created = await write(authorOf(caller, request), (tx) => {
        requireFuture('expiresAt', input.expiresAt, tx.now);
        return commands.createToken(tx, options, input);
      });
      return createdAnswer(created);
    },
    'GET /api/admin/api-tokens/:name': ({ params, caller }) => list(caller, params.name),
    'PUT /api/admin/api-tokens/:token': async ({ params, body, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.setExpiry(tx, caller, params.token, body.expiresAt));
      return { status: 200 };
    },
    'DELETE /api/admin/api-tokens/:token': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteToken(tx, caller, params.token));
      return { status: 200 };
    },
    ...projectTokenHandlers(database, options),
  };
}

type ProjectRoute = Extract<keyof typeof apiTokenRoutes, `${string}/projects/${string}`>;

function projectTokenHandlers(
  database: Database,
  options: commands.TokenOptions,
): Pick<Handlers<typeof apiTokenRoutes>, ProjectRoute> {
  const { db, write } = database;
  return {
    'GET /api/admin/projects/:projectId/api-tokens': async ({ params, caller }) => {
      await commands.requireProject(db, params.projectId);
      const tokens = (await store.listTokens(db)).filter(
        (token) => token.projects.includes(params.projectId) && commands.maySee(caller, token),
      );
      // Secrets of tokens with further projects are not shown to readers of this project's tokens.
      const own = tokens.filter(({ projects }) => projects.length === 1);
      return { status: 200, body: { tokens: await presentAll(database, options, tokens, own) } };
    },
    'POST /api/admin/projects/:projectId/api-tokens': async ({ params, body, caller, request }) => {
      const projects = [params.projectId];
      const input = { ...body, name: body.tokenName, expiresAt: body.expiresAt ?? null, projects };
      const created = await write(authorOf(caller, request), async (tx) => {
        await commands.requireProject(tx.db, params.projectId);
        requireFuture('expiresAt', input.expiresAt, tx.now);
        return commands.createToken(tx, options, input);
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

/** Returns the tokens as the API shows them. Includes the secrets of the tokens `withSecret`, if they are stored. */
async function presentAll(
  { db }: Database,
  { secrets }: commands.TokenOptions,
  tokens: readonly ApiToken[],
  withSecret: readonly ApiToken[],
) {
  const known = await secrets.read(db, withSecret);
  return tokens.map((token) => presentToken(token, known.get(token.id)));
}

function createdAnswer({ token, secret }: Awaited<ReturnType<typeof commands.createToken>>) {
  return {
    status: 201 as const,
    body: { ...presentToken(token, undefined), secret },
    headers: { location: 'api-tokens' },
  };
}
