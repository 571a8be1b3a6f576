import { z } from 'zod';
import { eventTypes } from './event-types.ts';
import { eventWithOriginSchema } from './events.ts';
import { defineRoutes, empty, formats } from './route.ts';
import { nameParam } from './text.ts';

/** The media types of the event feed, by the name of the format. */
export const feedMediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  sse: 'text/event-stream',
  cloudEvents: 'application/cloudevents-batch+json',
} as const;

const maxListed = 100;

function listOf<T extends z.ZodType<string, string>>(item: T) {
  return z
    .string()
    .max(20_000)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1).max(maxListed))
    .optional();
}

/** The filters of the feed, as comma-separated lists. */
const feedFilterQuery = {
  types: listOf(z.enum(eventTypes)).meta({ description: 'Only events of these types, separated by commas' }),
  project: listOf(nameParam).meta({ description: 'Only events of these projects' }),
  environment: listOf(nameParam).meta({ description: 'Only events of these environments' }),
  feature: listOf(nameParam).meta({ description: 'Only events of these flags' }),
};

/** A position in the event log: the id of the last event that was read. */
const position = z
  .string()
  .regex(/^(\d{1,15}|newest)$/, 'must be an event id, or newest')
  .transform((text) => (text === 'newest' ? ('newest' as const) : Number(text)))
  .optional();

/** The epoch of the log in which an id is a position. */
export const logEpoch = z.string().regex(/^[0-9a-f]{1,40}$/, 'must be an epoch, as an earlier answer names it');

/** The number of events in a page. */
export const feedLimit = { default: 100, max: 1000 } as const;
/** The longest wait of a long poll, in seconds. */
export const feedWait = { max: 60 } as const;

/** A page of the feed. */
export const feedPage = z.object({
  events: z.array(eventWithOriginSchema),
  next: z.number().int().min(0).meta({ description: 'The value of `after` for the next request' }),
  epoch: z.string().meta({
    description:
      'The epoch of the log, in which `next` is a position. It changes when the log goes back with its database: after a failover that lost changes, or a restore',
  }),
  hasMore: z.boolean().meta({ description: 'Whether the next request is answered at once' }),
});

export const eventFeedRoutes = defineRoutes('Events', {
  'GET /api/admin/events/feed': {
    summary: 'Follow the event log, oldest first',
    description:
      'Returns the events with an id greater than `after`, in the order in which they were committed. The `Accept` header chooses the format: `application/json` is a page with `next`, the value of `after` for the next request; `application/x-ndjson` is every event up to now, each on a line; `text/event-stream` is every event up to now and then each new event; `application/cloudevents-batch+json` is a page of CloudEvents 1.0, whose next page is in the `Link` header. Ids have no gaps: a gap in an answer means that the filters or the rights of the caller leave events out. Callers who are not administrators see only events of projects that they may see.',
    access: 'signed-in',
    query: z.object({
      after: position.meta({
        description:
          'The id of the last event that was read. 0 and no value mean the beginning of the log; `newest` means its end. With server-sent events, `Last-Event-ID` takes precedence.',
      }),
      epoch: logEpoch.optional().meta({
        description:
          'The `epoch` of the answer in which `after` was read. The answer is 400 when the log went back since then. The `Link` header and the ids of server-sent events hold it.',
      }),
      limit: z
        .string()
        .regex(/^[1-9]\d{0,8}$/, 'must be a positive integer')
        .transform(Number)
        .optional()
        .meta({ description: 'The maximum number of events: 100 by default and 1,000 at most in a page' }),
      wait: z
        .string()
        .regex(/^([0-9]|[1-5][0-9]|60)$/, 'must be a number of seconds from 0 to 60')
        .transform(Number)
        .optional()
        .meta({ description: 'Long poll: seconds to wait for an event when there is none. For pages.' }),
      format: z
        .enum(['event', 'cloudevent'])
        .optional()
        .meta({ description: 'The format of each event in `application/x-ndjson` and `text/event-stream`' }),
      ...feedFilterQuery,
    }),
    answers: {
      200: formats(feedPage, Object.values(feedMediaTypes)),
      304: empty,
    },
    errors: [400, 429],
  },
});
