import { type EventType, eventTypes, integrationEventPattern, type integrationRoutes } from '@yardarm/contract';
import type { SigningAlgorithm } from '#features/platform/deliveries/index.ts';
import { type AddressPolicy, type Resolve, resolveAddress } from '#features/platform/outbound/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { type Integration, isHiddenFrom } from './integration.ts';
import { actorNamesOf, presentAttempted, presentIntegration } from './present.ts';
import { requireSink, type Sink, sinks } from './sinks/index.ts';
import { listAttempted, listIntegrations } from './store.ts';

export function integrationHandlers(
  { db, write }: Database,
  addressPolicy: AddressPolicy,
  resolve: Resolve,
): Handlers<typeof integrationRoutes> {
  const presentOne = async (integration: Integration, { hidden }: Identity) =>
    presentIntegration(integration, await actorNamesOf(db, [integration]), hidden);
  return {
    'GET /api/admin/addons': async ({ caller }) => {
      const all = await listIntegrations(db);
      const visible = all.filter((integration) => !isHiddenFrom(integration, caller.hidden));
      const names = await actorNamesOf(db, visible);
      const addons = visible.map((integration) => presentIntegration(integration, names, caller.hidden));
      const events = eventsFor(caller);
      return { body: { addons, providers: sinks.map((sink) => presentSink(sink, events)) } };
    },
    'POST /api/admin/addons': async ({ body, author, caller }) => {
      const input = await checkInput(body, caller, undefined, addressPolicy, resolve);
      const created = await write(author, (tx) => commands.createIntegration(tx, input, body.signing));
      const { integration, signingSecret } = created;
      return { body: { ...(await presentOne(integration, caller)), signingSecret } };
    },
    'GET /api/admin/addons/:id': async ({ params, caller }) => ({
      body: await presentOne(await commands.requireIntegration(db, caller, params.id), caller),
    }),
    'PUT /api/admin/addons/:id': async ({ params, body, author, caller }) => {
      const before = await commands.requireIntegration(db, caller, params.id);
      const input = await checkInput(body, caller, before, addressPolicy, resolve);
      const changed = await write(author, (tx) => commands.changeIntegration(tx, params.id, input));
      return { body: await presentOne(changed, caller) };
    },
    'DELETE /api/admin/addons/:id': async ({ params, author }) =>
      write(author, (tx) => commands.deleteIntegration(tx, params.id)),
    'GET /api/admin/addons/:id/events': async ({ params, query, caller }) => {
      await commands.requireIntegration(db, caller, params.id);
      const deliveries = await listAttempted(db, params.id, query);
      return { body: { integrationEvents: deliveries.map((row) => presentAttempted(params.id, row)) } };
    },
  };
}

/** Returns the event types that a caller may choose. */
function eventsFor(caller: Identity): EventType[] {
  const isAdmin = caller.can('ADMIN');
  return eventTypes.filter((type) => isAdmin || integrationEventPattern.test(type));
}

function presentSink(
  { name, displayName, documentationUrl, description, howTo, parameters, eventTypes }: Sink,
  events: EventType[],
) {
  return {
    name,
    displayName,
    documentationUrl,
    description,
    howTo,
    parameters: [...parameters],
    events: events.filter((type) => eventTypes?.includes(type) !== false),
  };
}

/**
 * Returns the input with its secrets restored. Rejects with 400 when it is invalid or names a project hidden from the
 * caller.
 */
async function checkInput(
  body: Omit<commands.IntegrationInput, 'seesAll'> & { readonly signing: SigningAlgorithm },
  caller: Identity,
  before: Integration | undefined,
  addressPolicy: AddressPolicy,
  resolve: Resolve,
): Promise<commands.IntegrationInput> {
  const parameters = commands.parametersFrom(body.provider, body.parameters, before);
  const hiddenProject = body.projects.find((project) => caller.hidden.has(project));
  if (hiddenProject !== undefined)
    throw badField('projects', `must name existing projects: there is no project ${hiddenProject}`);
  const adminOnly = body.events.find((type) => !integrationEventPattern.test(type));
  if (adminOnly !== undefined && !caller.can('ADMIN'))
    throw badField('events', `must be about flags: only an administrator may subscribe to ${adminOnly}`);
  const sink = requireSink(body.provider);
  const untaken = body.events.find((type) => sink.eventTypes?.some((eventType) => eventType === type) === false);
  if (untaken !== undefined)
    throw badField('events', `must begin or end an alert: ${sink.name} cannot send ${untaken}`);
  const url = sink.urlOf === undefined ? parameters['url'] : sink.urlOf(parameters);
  // A host without an address now may have one when an event is delivered.
  const address =
    url === undefined ? undefined : await resolveAddress(new URL(url), addressPolicy, resolve).catch(() => undefined);
  if (address === 'private') throw badField('parameters.url', 'must not resolve to a private address');
  const { signing: _, ...input } = body;
  return { ...input, parameters, seesAll: caller.can('ADMIN') };
}
