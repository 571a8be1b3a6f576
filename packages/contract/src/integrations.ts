import { z } from 'zod';
import { eventTypes } from './event-types.ts';
import { eventSchema } from './events.ts';
import { signingAlgorithms } from './integration-deliveries.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id, paging } from './scalars.ts';
import { plainText, urlFriendly } from './text.ts';

const addonSchema = z.object({
  id,
  provider: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  parameters: z.record(z.string(), z.string()).meta({ description: 'Secret values are shown as *****' }),
  events: z.array(z.string()),
  projects: z.array(z.string()),
  environments: z.array(z.string()),
  ordered: z.boolean().meta({ description: 'Whether an event waits until the event before it is delivered or dead' }),
  actors: z.array(z.number().int()).meta({ description: 'User ids; empty: events of all users' }),
  actorNames: z
    .array(z.string().nullable())
    .meta({ description: 'The name of each of `actors`; null for a deleted account' }),
  cause: z.enum(['any', 'signal', 'person']),
});

const createdSchema = addonSchema.extend({
  signingSecret: z.string().meta({
    description:
      'The key that the receiver verifies signatures with (Standard Webhooks): `whsec_…`, or the public key `whpk_…`. A shared secret is shown only here.',
  }),
});

const providerSchema = z.object({
  name: z.string(),
  displayName: z.string(),
  documentationUrl: z.string(),
  description: z.string(),
  howTo: z.string().meta({ description: 'How to set up the integration' }),
  parameters: z.array(
    z.object({
      name: z.string(),
      displayName: z.string(),
      type: z.string(),
      description: z.string(),
      required: z.boolean(),
      sensitive: z.boolean(),
    }),
  ),
  events: z.array(z.string()),
});

const deliverySchema = z.object({
  id: z.string(),
  integrationId: id,
  createdAt: dateTime,
  state: z.enum(['success', 'failed', 'successWithErrors']),
  stateDetails: z.string(),
  event: eventSchema,
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});

/**
 * The types of events that every integration may send, also those that only Unleash records. Events of other types are
 * visible to administrators only, and so are sent only by integrations that an administrator saved.
 */
export const integrationEventPattern = /^(feature|change|change-request|release-plan)-[a-z-]+$/;

const isEventType = (type: string) =>
  integrationEventPattern.test(type) || (eventTypes as readonly string[]).includes(type);

const eventName = z.string().max(100).refine(isEventType, 'must be the type of an event, such as feature-created');

const addonBody = z.object({
  provider: z.string().max(100),
  enabled: z.boolean(),
  description: plainText(4000).nullable().optional(),
  parameters: z.record(z.string().max(100), plainText(50_000)),
  events: z.array(eventName).max(500),
  projects: z
    .array(z.union([z.literal('*'), urlFriendly]))
    .max(500)
    .default([]),
  environments: z
    .array(z.union([z.literal('*'), urlFriendly]))
    .max(500)
    .default([]),
  // Clients of Unleash do not send these fields: an update without them keeps their values.
  ordered: z.boolean().optional(),
  actors: z.array(z.number().int()).max(500).optional(),
  cause: z.enum(['any', 'signal', 'person']).optional(),
  signing: z.enum(signingAlgorithms).default('hmac-sha256').meta({
    description: 'How requests of a new integration are signed. Ignored for an existing one: rotate its key.',
  }),
});
const delivery =
  'Each event is sent at least once, also across restarts, with the same `webhook-id` in all attempts. Events are sent in order unless `ordered` is false: an event that fails is retried with growing delays, for a day unless YARDARM_DELIVERY_RETRY_HOURS says otherwise, and then becomes a dead letter. Events recorded while the integration is disabled are not sent later. Events that are not about flags, such as `user-created`, can be chosen by administrators only.';
const ofHidden = 'Refused for an integration that receives events of projects that the caller cannot see.';

/** Integrations: outgoing webhooks for events (docs/spec#integrations). */
export const integrationRoutes = defineRoutes('Integrations', {
  'GET /api/admin/addons': {
    summary: 'List integrations and providers',
    access: 'signed-in',
    answers: ok({ addons: z.array(addonSchema), providers: z.array(providerSchema) }),
  },
  'POST /api/admin/addons': {
    summary: 'Create an integration',
    description: `${delivery} Events of private projects are sent only to integrations that name the project, or that an administrator created.`,
    access: { permission: 'CREATE_ADDON' },
    body: addonBody,
    answers: { 201: json(createdSchema) },
    secrets: true,
    emits: ['addon-config-created'],
  },
  'GET /api/admin/addons/:id': {
    summary: 'Get an integration',
    access: 'signed-in',
    answers: { 200: json(addonSchema) },
  },
  'PUT /api/admin/addons/:id': {
    summary: 'Update an integration; a parameter sent as ***** keeps its value',
    description: `${delivery} ${ofHidden}`,
    access: { permission: 'UPDATE_ADDON' },
    body: addonBody,
    answers: { 200: json(addonSchema) },
    errors: [409],
    emits: ['addon-config-updated'],
  },
  'DELETE /api/admin/addons/:id': {
    summary: 'Delete an integration and its delivery log',
    description: ofHidden,
    access: { permission: 'DELETE_ADDON' },
    answers: { 200: empty },
    errors: [409],
    emits: ['addon-config-deleted'],
  },
  'GET /api/admin/addons/:id/events': {
    summary: "List the deliveries of an integration in the last 30 days as Unleash's integration events",
    access: { permission: 'ADMIN' },
    query: z.object(paging(50, 1000)),
    answers: ok({ integrationEvents: z.array(deliverySchema) }),
  },
});
