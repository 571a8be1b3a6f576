import type { integrationRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { badField } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { type AddressPolicy, type Resolve, resolveAddress } from '../outbound/index.ts';
import * as commands from './commands.ts';
import { type Integration, isHiddenFrom } from './integration.ts';
import { presentDelivery, presentIntegration } from './present.ts';
import { listDeliveries, listIntegrations } from './store.ts';
import { webhook } from './webhook.ts';

export function integrationHandlers(
  { db, write }: Database,
  addressPolicy: AddressPolicy,
  resolve: Resolve,
): Handlers<typeof integrationRoutes> {
  const providers = [{ ...webhook, parameters: [...webhook.parameters], events: [...webhook.events] }];
  return {
    'GET /api/admin/addons': async ({ caller }) => {
      const all = await listIntegrations(db);
      const visible = all.filter((integration) => !isHiddenFrom(integration, caller.hidden));
      const addons = visible.map((integration) => presentIntegration(integration, caller.hidden));
      return { status: 200, body: { addons, providers } };
    },
    'POST /api/admin/addons': async ({ body, caller, request }) => {
      const input = await checkInput(body, caller, {}, addressPolicy, resolve);
      const created = await write(authorOf(caller, request), (tx) => commands.createIntegration(tx, input));
      return { status: 201, body: presentIntegration(created, caller.hidden) };
    },
    'GET /api/admin/addons/:id': async ({ params, caller }) => ({
      status: 200,
      body: presentIntegration(await commands.requireIntegration(db, caller, params.id), caller.hidden),
    }),
    'PUT /api/admin/addons/:id': async ({ params, body, caller, request }) => {
      const before = await commands.requireIntegration(db, caller, params.id);
      const input = await checkInput(body, caller, before.parameters, addressPolicy, resolve);
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

/**
 * Returns the input with its secrets restored. Rejects with 400 when it is invalid or names a project hidden from the
 * caller.
 */
async function checkInput(
  body: Omit<commands.IntegrationInput, 'seesAll'>,
  caller: Identity,
  before: Integration['parameters'],
  addressPolicy: AddressPolicy,
  resolve: Resolve,
): Promise<commands.IntegrationInput> {
  const parameters = commands.parametersFrom(body.provider, body.parameters, before);
  const hiddenProject = body.projects.find((project) => caller.hidden.has(project));
  if (hiddenProject !== undefined)
    throw badField('projects', `must name existing projects: there is no project ${hiddenProject}`);
  // A host without an address now may have one when an event is delivered.
  const address = await resolveAddress(new URL(parameters['url'] ?? ''), addressPolicy, resolve).catch(() => undefined);
  if (address === 'private') throw badField('parameters.url', 'must not resolve to a private address');
  return { ...body, parameters, seesAll: caller.can('ADMIN') };
}
