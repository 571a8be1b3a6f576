import type { integrationRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { badField } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { addressOf, type Reach, type Resolve } from '../outbound/index.ts';
import * as commands from './commands.ts';
import { type Integration, isOutOfView } from './integration.ts';
import { presentDelivery, presentIntegration } from './present.ts';
import { listDeliveries, listIntegrations } from './store.ts';
import { webhook } from './webhook.ts';

export function integrationHandlers(
  { db, write }: Database,
  reach: Reach,
  resolve: Resolve,
): Handlers<typeof integrationRoutes> {
  const providers = [{ ...webhook, parameters: [...webhook.parameters], events: [...webhook.events] }];
  return {
    'GET /api/admin/addons': async ({ caller }) => {
      const all = await listIntegrations(db);
      const seen = all.filter((one) => !isOutOfView(one, caller.hidden));
      const addons = seen.map((one) => presentIntegration(one, caller.hidden));
      return { status: 200, body: { addons, providers } };
    },
    'POST /api/admin/addons': async ({ body, caller, request }) => {
      const input = await checked(body, caller, {}, reach, resolve);
      const created = await write(authorOf(caller, request), (tx) => commands.createIntegration(tx, input));
      return { status: 201, body: presentIntegration(created, caller.hidden) };
    },
    'GET /api/admin/addons/:id': async ({ params, caller }) => ({
      status: 200,
      body: presentIntegration(await commands.requireIntegration(db, caller, params.id), caller.hidden),
    }),
    'PUT /api/admin/addons/:id': async ({ params, body, caller, request }) => {
      const before = await commands.requireIntegration(db, caller, params.id);
      const input = await checked(body, caller, before.parameters, reach, resolve);
      const changed = await write(authorOf(caller, request), (tx) => commands.changeIntegration(tx, params.id, input));
      return { status: 200, body: presentIntegration(changed, caller.hidden) };
    },
    'DELETE /api/admin/addons/:id': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteIntegration(tx, params.id));
      return { status: 200 };
    },
    'GET /api/admin/addons/:id/events': async ({ params, query, caller }) => {
      await commands.requireIntegration(db, caller, params.id);
      const deliveries = await listDeliveries(db, params.id, query);
      return { status: 200, body: { integrationEvents: deliveries.map((row) => presentDelivery(params.id, row)) } };
    },
  };
}

/** What was sent, when it may be set by the caller; a 400 for what is wrong with it. */
async function checked(
  body: Omit<commands.Input, 'seesAll'>,
  caller: Identity,
  before: Integration['parameters'],
  reach: Reach,
  resolve: Resolve,
): Promise<commands.Input> {
  const parameters = commands.parametersFrom(body.provider, body.parameters, before);
  const unseen = body.projects.find((project) => caller.hidden.has(project));
  if (unseen !== undefined) throw badField('projects', `must name projects that there are, not ${unseen}`);
  // A host that has no address now may have one when there is something to tell.
  const address = await addressOf(new URL(parameters['url'] ?? ''), reach, resolve).catch(() => undefined);
  if (address === 'private') throw badField('parameters.url', 'must not lead to a private address');
  return { ...body, parameters, seesAll: caller.can('ADMIN') };
}
