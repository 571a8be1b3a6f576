import type { streamingRoutes } from '@yardarm/contract';
import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { type AnswerCache, queryFor, readerPosition, type Snapshot, streamAccess } from '#features/sdks/sdk/index.ts';
import type { Handlers } from '#http/handler.ts';
import { authorOf } from '#http/request.ts';
import type { Streams } from '#http/streams.ts';
import type { Database } from '#storage/database.ts';
import { flagView, refetchView } from './view.ts';

export interface StreamingOptions {
  readonly snapshot: Snapshot;
  readonly hydrations: AnswerCache;
  readonly streams: Streams;
  readonly tokens: TokenLookup;
}

type Disconnect = 'POST /api/admin/streaming/disconnect-all';

/** Returns the handlers of the streams to SDKs. */
export function streamingHandlers(options: StreamingOptions): Omit<Handlers<typeof streamingRoutes>, Disconnect> {
  const { snapshot, hydrations, streams, tokens } = options;
  return {
    'GET /api/client/streaming': async ({ caller, query, request }) => {
      const access = await streamAccess(tokens, caller);
      streams.requireCapacity(access);
      const view = flagView(snapshot, hydrations, queryFor(caller, query, false));
      const lastRevision = readerPosition(snapshot, request.header('last-event-id'));
      return { status: 200, body: (stream) => streams.join(stream, view, access, lastRevision) };
    },
    'GET /ofrep/v1/event-stream': async ({ caller, request }) => {
      const access = await streamAccess(tokens, caller);
      streams.requireCapacity(access);
      const view = refetchView(snapshot, queryFor(caller, {}, false));
      const lastRevision = readerPosition(snapshot, request.header('last-event-id'));
      return { status: 200, body: (stream) => streams.join(stream, view, access, lastRevision) };
    },
  };
}

/** Returns the handler that ends all streams to SDKs. */
export function streamsHandlers(database: Database): Pick<Handlers<typeof streamingRoutes>, Disconnect> {
  return {
    'POST /api/admin/streaming/disconnect-all': async ({ caller, request }) => {
      // Every process reads the event from the change feed and ends its streams.
      await database.write(authorOf(caller, request), async (tx) => tx.record({ type: 'streams-ended' }));
      return { status: 200 };
    },
  };
}
