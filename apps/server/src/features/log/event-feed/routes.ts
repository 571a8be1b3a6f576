import { createHash } from 'node:crypto';
import { type eventFeedRoutes, feedLimit, feedMediaTypes } from '@yardarm/contract';
import type { FormattedBody, Handlers } from '#http/handler.ts';
import { formatPosition, matchesEtag, parsePosition } from '#http/if-none-match.ts';
import type { RequestInfo } from '#http/request.ts';
import type { Streams } from '#http/streams.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import { cloudEventJson } from './cloud-events.ts';
import type { FeedReader } from './feed-reader.ts';
import { type FeedFilter, limitsOf } from './filter.ts';
import { liveView } from './live-view.ts';
import { type FeedPage, pageJson } from './pages.ts';
import { requireEpoch, requireReached } from './position.ts';
import type { FeedEvent } from './recent-events.ts';
import { streamAccess } from './stream-access.ts';

export interface EventFeedOptions {
  readonly database: Database;
  readonly reader: FeedReader;
  readonly streams: Streams;
  /** Identifies the caller of a request again, to end the streams of callers who have lost their access. */
  readonly identify: (request: RequestInfo) => Promise<Identity>;
  /** Returns the public URL of this server. */
  readonly baseUrl: () => string;
}

type Format = keyof typeof feedMediaTypes;

export function eventFeedHandlers(options: EventFeedOptions): Handlers<typeof eventFeedRoutes> {
  const { database, reader, streams, baseUrl } = options;
  return {
    'GET /api/admin/events/feed': async ({ query, caller, request }) => {
      const filter: FeedFilter = {
        types: query.types,
        projects: query.project,
        environments: query.environment,
        features: query.feature,
        ...limitsOf(caller),
      };
      const format = formatOf(request.header('accept'));
      const lastRead = format === 'sse' ? parsePosition(request.header('last-event-id')) : undefined;
      const after = await positionOf(reader, lastRead ?? { id: query.after ?? 0, epoch: query.epoch });
      const asCloudEvents = query.format === 'cloudevent' || format === 'cloudEvents';
      const toJson = asCloudEvents
        ? (event: FeedEvent) => cloudEventJson(event.row, event.jsonFor(filter), baseUrl())
        : (event: FeedEvent) => event.jsonFor(filter);
      if (format === 'sse') {
        const access = streamAccess(options.identify, caller, request);
        streams.requireCapacity(access);
        const named = { name: asCloudEvents ? 'cloudevent' : 'event', toJson };
        const view = liveView({ db: database.beginSearch().db, recent: reader.recent, filter, format: named });
        return { status: 200, headers, body: { events: (stream) => streams.join(stream, view, access, after) } };
      }
      if (format === 'ndjson') {
        const events = reader.readAll(filter, after, query.limit ?? Number.POSITIVE_INFINITY);
        return { status: 200, headers, body: { mediaType: feedMediaTypes.ndjson, text: linesOf(events, toJson) } };
      }
      const page = await reader.read(filter, after, query.limit ?? feedLimit.default, query.wait ?? 0, request);
      const text = format === 'json' ? pageJson(page, filter) : `[${page.events.map(toJson).join(',')}]`;
      return answerPage(text, page, format, request);
    },
  };
}

const headers = { vary: 'accept' };

/** Returns the format for an `Accept` header: the first known media type, or JSON. */
function formatOf(accept = ''): Format {
  const accepted = accept.split(',').map((item) => item.split(';', 1)[0]?.trim().toLowerCase());
  const formats = Object.entries(feedMediaTypes) as [Format, string][];
  for (const type of accepted) {
    const known = formats.find(([, mediaType]) => mediaType === type);
    if (known !== undefined) return known[0];
  }
  return 'json';
}

/** Returns the id after which to read. Rejects with 400 for a position of another log, or one that is not reached. */
async function positionOf(
  reader: FeedReader,
  { id, epoch }: { readonly id: number | 'newest'; readonly epoch?: string | undefined },
): Promise<number> {
  const newest = await reader.reach(id === 'newest' ? 0 : id, epoch);
  requireEpoch('epoch', epoch, reader);
  if (id === 'newest') return newest;
  requireReached('after', id, newest);
  return id;
}

function answerPage(text: string, { next, epoch }: FeedPage, format: 'json' | 'cloudEvents', request: RequestInfo) {
  const etag = `"${createHash('sha256')
    .update(`${formatPosition({ id: next, epoch })} ${text}`)
    .digest('base64url')
    .slice(0, 22)}"`;
  const paging = { ...headers, etag, link: `<${nextPath(request, next, epoch)}>; rel="next"` };
  if (matchesEtag(request.header('if-none-match'), etag)) return { status: 304, headers: paging } as const;
  const body: FormattedBody = { mediaType: feedMediaTypes[format], text };
  return { status: 200, headers: paging, body } as const;
}

/** Returns the URL of the next page, relative to the URL of the request, so that it is valid behind any proxy. */
function nextPath({ search }: RequestInfo, next: number, epoch: string): string {
  const parameters = new URLSearchParams(search);
  parameters.set('after', String(next));
  parameters.set('epoch', epoch);
  return `?${parameters}`;
}

async function* linesOf(
  parts: AsyncIterable<readonly FeedEvent[]>,
  toJson: (event: FeedEvent) => string,
): AsyncGenerator<string> {
  for await (const events of parts) yield events.map((event) => `${toJson(event)}\n`).join('');
}
