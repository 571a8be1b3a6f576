import type { streamingRoutes } from '@yardarm/contract';
import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { type AnswerCache, queryFor, type Snapshot } from '#features/sdks/sdk/index.ts';
import type { Handlers } from '#http/handler.ts';
import { parsePosition } from '#http/if-none-match.ts';
import { authorOf } from '#http/request.ts';
import { type StreamAccess, type Streams, unknownRevision } from '#http/streams.ts';
import type { SdkCaller } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import { flagView, refetchView } from './view.ts';

export interface StreamingOptions {
  readonly database: Database;
  readonly snapshot: Snapshot;
  readonly hydrations: AnswerCache;
  readonly streams: Streams;
  readonly tokens: TokenLookup;
}

export function streamingHandlers(options: StreamingOptions): Handlers<typeof streamingRoutes> {
  const { database, snapshot, hydrations, streams, tokens } = options;
  return {
    'GET /api/client/streaming': async ({ caller, query, request }) => {
      const access = await accessOf(tokens, caller);
      streams.requireCapacity(access);
      const view = flagView(snapshot, hydrations, queryFor(caller, query, false));
      const lastRevision = revisionOf(snapshot, request.header('last-event-id'));
      return { status: 200, body: (stream) => streams.join(stream, view, access, lastRevision) };
    },
    'GET /ofrep/v1/event-stream': async ({ caller, request }) => {
      const access = await accessOf(tokens, caller);
      streams.requireCapacity(access);
      const view = refetchView(snapshot, queryFor(caller, {}, false));
      const lastRevision = revisionOf(snapshot, request.header('last-event-id'));
      return { status: 200, body: (stream) => streams.join(stream, view, access, lastRevision) };
    },
    'POST /api/admin/streaming/disconnect-all': async ({ caller, request }) => {
      // Every process reads the event from the change feed and ends its streams.
      await database.write(authorOf(caller, request), async (tx) => tx.record({ type: 'streams-ended' }));
      return { status: 200 };
    },
  };
}

/**
 * Returns the revision at which a reader stopped; {@link unknownRevision} when its position is of another epoch of the
 * log, and undefined for a new reader.
 */
function revisionOf({ epoch }: Snapshot, lastEventId: string | undefined): number | undefined {
  const known = parsePosition(lastEventId);
  return known === undefined || known.epoch === epoch ? known?.id : unknownRevision;
}

/**
 * Returns the access of a stream: it is valid while its token exists with the same environment and projects, and until
 * the token expires.
 */
async function accessOf(tokens: TokenLookup, { tokenId, environment, projects }: SdkCaller): Promise<StreamAccess> {
  if (tokenId === null) return { key: 0, isUnlimited: true, check: async () => ({}) };
  const known = await tokens.findById(tokenId);
  return {
    key: tokenId,
    expiresAt: known?.token.expiresAt ?? null,
    check: async () => {
      const token = (await tokens.findById(tokenId))?.token;
      return token?.environment === environment && token.projects.join() === projects.join() ? token : undefined;
    },
  };
}
