import { z } from 'zod';
import { eventTypes } from './event-types.ts';
import { filter, numberFilter } from './filters.ts';
import { defineRoutes, json, ok, stream } from './route.ts';
import { anyJson, dateTime, isFrom, isUntil, paging } from './scalars.ts';
import { nameParam, plainText, searchText } from './text.ts';

/** Where a change came from. */
export const eventOriginSchema = z.object({
  address: z.string().nullable().meta({ description: 'The IPv4 address or IPv6 network of the client' }),
  userAgent: z.string().nullable().meta({ description: 'At most 200 characters' }),
  method: z.enum(['session', 'personal-token', 'service-account-token', 'admin-token', 'none']),
  sessionId: z.number().int().nullable(),
  tokenId: z.number().int().nullable().meta({
    description: 'The id of a personal token or service account token, or of an API token for `admin-token`',
  }),
});

/** An event; all keys are always present (docs/spec#event-fields). Only the event routes add the origin. */
export const eventSchema = z.object({
  id: z.number().int().min(1),
  type: z.enum(eventTypes),
  createdBy: z.string(),
  createdByUserId: z.number().int().nullable(),
  createdAt: dateTime,
  data: anyJson,
  preData: anyJson,
  tags: z.array(z.object({ type: z.string(), value: z.string() })),
  featureName: z.string().nullable(),
  project: z.string().nullable(),
  environment: z.string().nullable(),
  label: z.string(),
  summary: z.string(),
  groupId: z.string().nullable(),
  groupType: z.string().nullable(),
  cause: z.object({
    requestId: z.string().nullable(),
    signalId: z.number().int().nullable(),
    runId: z.number().int().nullable(),
  }),
  outcome: z.enum(['success', 'failure', 'refused']),
  reason: z.string().nullable().meta({ description: 'Why the author made the change' }),
});

export const eventWithOriginSchema = eventSchema.extend({
  origin: eventOriginSchema.nullable().meta({
    description: 'Null for changes of the server and of action sets, and for callers without ADMIN',
  }),
});

const cursor = z
  .string()
  .regex(/^\d{1,15}$/, 'must be an event id')
  .transform(Number)
  .optional();
const listQuery = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a positive integer')
    .transform(Number)
    .optional(),
  after: cursor.meta({
    description:
      'Only events with a greater id, oldest first. To follow the log, send the id of the last event received.',
  }),
  before: cursor.meta({ description: 'Only events with a smaller id' }),
};

const order = 'Newest first. With `after`, oldest first, so that a reader who follows the log does not skip events.';

const searchCursor = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,9})?$/, 'must be the nextCursor of an earlier answer')
  .transform((text) => {
    const [before = 0, skip = 0] = text.split('.').map(Number);
    return { before, skip };
  })
  .optional()
  .meta({ description: '`nextCursor` of an earlier answer, with the same filters; `offset` is then ignored' });

const anyOf = filter('IS', 'IS_ANY_OF')
  .transform(({ values }) => values)
  .optional();
const anyOfNumbers = numberFilter('IS', 'IS_ANY_OF')
  .transform(({ values }) => values.map(Number))
  .optional();

export const eventRoutes = defineRoutes('Events', {
  'GET /api/admin/events': {
    summary: 'List the last 100 events of the instance, or all events of a project',
    description: order,
    access: { permission: 'ADMIN' },
    query: z.object({ project: nameParam.optional(), ...listQuery }),
    answers: {
      200: stream(
        z.object({ version: z.literal(1), totalEvents: z.number().int(), events: z.array(eventWithOriginSchema) }),
      ),
    },
    errors: [400],
  },
  'GET /api/admin/events/:featureName': {
    summary: 'List all events of a flag, including archived and deleted flags',
    description: order,
    access: { permission: 'ADMIN' },
    anyName: true,
    query: z.object(listQuery),
    answers: {
      200: stream(
        z.object({
          version: z.literal(1),
          toggleName: z.string(),
          totalEvents: z.number().int(),
          events: z.array(eventWithOriginSchema),
        }),
      ),
    },
    errors: [400],
  },
  'GET /api/admin/search/events': {
    summary: 'Search events, newest first',
    description:
      'Callers who are not administrators see only events that belong to a project. A search examines a limited number of events, newest first. `total` counts up to 10,000 matches, or 1,000 matches with `query`; when there are more, or not all events were examined, `totalRelation` is `gte`. `nextCursor` continues the search, also after a page that is not full; it is null when there are no older matches. Answers 503 with `Retry-After` when too many searches are running.',
    access: 'signed-in',
    parts: [{ permission: 'ADMIN', where: 'for the origin of events' }],
    query: z.object({
      ...paging(50, 1000),
      cursor: searchCursor,
      query: searchText(1000),
      reason: plainText(500).min(1).optional().meta({
        description: 'Events whose reason contains this text; letters A to Z match in either case',
      }),
      id: anyOfNumbers,
      groupId: anyOf,
      feature: anyOf,
      project: anyOf,
      type: anyOf,
      environment: anyOf,
      createdBy: anyOfNumbers,
      signal: anyOfNumbers.meta({ description: 'Events caused by these signals, by signal id' }),
      from: isFrom.optional(),
      to: isUntil.optional(),
    }),
    answers: {
      200: stream(
        z.object({
          events: z.array(eventWithOriginSchema),
          total: z.number().int(),
          totalRelation: z.enum(['eq', 'gte']),
          nextCursor: z.string().nullable(),
        }),
      ),
    },
    errors: [400],
  },
  'GET /api/admin/newest': {
    summary: 'Get the ids of the newest event and the newest signal',
    description:
      'A cheap route for polling clients: compare the ids to find out whether there is anything new. Ids have no gaps; 0 means none.',
    access: 'signed-in',
    answers: ok({ eventId: z.number().int().min(0), signalId: z.number().int().min(0) }),
  },
  'GET /api/admin/event-creators': {
    summary: 'List the users and accounts that caused events',
    access: 'signed-in',
    answers: { 200: json(z.array(z.object({ id: z.number().int(), name: z.string() }))) },
  },
});
