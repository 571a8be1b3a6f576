import { z } from 'zod';
import { feedLimit, feedPage, feedWait, logEpoch } from './event-feed.ts';
import { eventTypes } from './event-types.ts';
import { defineRoutes, empty, json, ok, ready } from './route.ts';
import { dateTime } from './scalars.ts';
import { filledText, nameParam, plainText, urlFriendly } from './text.ts';

const list = <T extends z.ZodType<string>>(item: T) => z.array(item).min(1).max(100).nullable();

/** The filters of a consumer; null means all. */
const filters = {
  types: list(z.enum(eventTypes)),
  projects: list(nameParam),
  environments: list(nameParam),
  features: list(nameParam),
};
const eventId = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A named reader of the event log whose position the server keeps. */
const consumer = z.object({
  name: z.string(),
  description: z.string(),
  ...filters,
  acknowledged: eventId.meta({ description: 'All events up to this id have been processed' }),
  epoch: z.string().meta({ description: 'The epoch of the log, in which `acknowledged` is a position' }),
  lag: z.number().int().min(0).meta({
    description: 'The number of events after `acknowledged`, also those that the filters leave out',
  }),
  worker: z.string().nullable().meta({ description: 'The worker that holds the lease' }),
  leasedUntil: dateTime.nullable(),
  acknowledgedAt: dateTime.nullable(),
  createdAt: dateTime,
});

const worker = filledText(200).meta({
  description: 'The name of the calling process, the same in each of its requests and unlike that of other processes',
});

const access = { permission: ['ADMIN', 'UPDATE_EVENT_CONSUMERS'] } as const;
const byName = z.object({ name: urlFriendly });

export const eventConsumerRoutes = defineRoutes('Events', {
  'GET /api/admin/event-consumers': {
    access,
    summary: 'List event consumers with their position and lag',
    answers: ok({ consumers: z.array(consumer) }),
  },
  'PUT /api/admin/event-consumers/:name': {
    access,
    summary: 'Create an event consumer, or change it; omitted fields keep their values',
    description:
      'The server keeps the position of a consumer: the id of the last event that it acknowledged. A new consumer starts with the next event; `acknowledged: 0` starts with the beginning of the log. Setting `acknowledged` moves the position in either direction and ends the lease.',
    params: byName,
    anyName: true,
    body: z
      .object({ description: plainText(1000), ...filters, acknowledged: z.union([eventId, z.literal('newest')]) })
      .partial(),
    answers: { 200: json(consumer), 201: json(consumer) },
    errors: [409],
    emits: ['event-consumer-created', 'event-consumer-updated'],
  },
  'DELETE /api/admin/event-consumers/:name': {
    access,
    summary: 'Delete an event consumer and its position',
    params: byName,
    answers: { 200: empty },
    emits: ['event-consumer-deleted'],
  },
  'POST /api/admin/event-consumers/:name/poll': {
    access,
    summary: 'Read the next events of a consumer, as its only worker',
    description:
      'Returns the events after the acknowledged id, oldest first, and leases the consumer to the worker. Until the lease ends, other workers get 409. The same events are returned until they are acknowledged, so each event is delivered at least once. Events that the caller may not see are left out.',
    params: byName,
    body: z.object({
      worker,
      limit: z.number().int().min(1).max(feedLimit.max).optional(),
      wait: z.number().int().min(0).max(feedWait.max).optional().meta({
        description: 'Seconds to wait for an event when there is none',
      }),
      leaseSeconds: z.number().int().min(1).max(3600).optional().meta({
        description: 'The length of the lease after the answer; 60 seconds by default',
      }),
    }),
    answers: { 200: ready(feedPage.extend({ leasedUntil: dateTime })) },
    errors: [409, 429],
    emits: [],
  },
  'POST /api/admin/event-consumers/:name/acknowledge': {
    access,
    summary: 'Acknowledge the events of a consumer up to an id',
    description:
      'Only the worker that holds the lease can acknowledge. Acknowledging an earlier id again changes nothing. When the log went back with its database, the lease has ended: poll again.',
    params: byName,
    body: z.object({
      worker,
      id: eventId.meta({ description: 'The id of the last processed event, or `next`' }),
      epoch: logEpoch.optional().meta({
        description:
          'The `epoch` of the answer that had the event. The answer is 400 when the log went back since then.',
      }),
    }),
    answers: { 200: json(consumer) },
    errors: [409],
    emits: [],
  },
});
