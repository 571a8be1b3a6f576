import type { streamingRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { SdkCaller } from '../../kernel/caller.ts';
import type { Database } from '../../storage/database.ts';
import type { TokenLookup } from '../api-tokens/index.ts';
import { queryFor, type ReadyAnswers, revisionIn, type Snapshot } from '../sdk/index.ts';
import type { Pass, Streams } from './streams.ts';
import { flagView, noticeView } from './view.ts';

export interface StreamingOptions {
  readonly database: Database;
  readonly snapshot: Snapshot;
  readonly hydrations: ReadyAnswers;
  readonly streams: Streams;
  readonly tokens: TokenLookup;
}

export function streamingHandlers(options: StreamingOptions): Handlers<typeof streamingRoutes> {
  const { database, snapshot, hydrations, streams, tokens } = options;
  return {
    'GET /api/client/streaming': ({ caller, query, request }) => {
      const pass = passOf(tokens, caller);
      streams.requireRoom(pass);
      const view = flagView(snapshot, hydrations, queryFor(caller, query, false));
      const known = revisionIn(request.header('last-event-id'));
      return { status: 200, body: (stream) => streams.join(stream, view, pass, known) };
    },
    'GET /ofrep/v1/event-stream': ({ caller, request }) => {
      const pass = passOf(tokens, caller);
      streams.requireRoom(pass);
      const view = noticeView(snapshot, queryFor(caller, {}, false));
      const known = revisionIn(request.header('last-event-id'));
      return { status: 200, body: (stream) => streams.join(stream, view, pass, known) };
    },
    'POST /api/admin/streaming/disconnect-all': async ({ caller, request }) => {
      // Every process hears of it by the event.
      await database.write(authorOf(caller, request), async (tx) => tx.record({ type: 'streams-ended' }));
      return { status: 200 };
    },
  };
}

/** The token that a stream was opened with: it holds while it opens what it opened then. */
function passOf(tokens: TokenLookup, { tokenId, environment, projects }: SdkCaller): Pass {
  if (tokenId === null) return { key: 0, isShared: true, stillHolds: async () => true };
  return {
    key: tokenId,
    stillHolds: async () => {
      const token = (await tokens.findById(tokenId))?.token;
      return token?.environment === environment && token.projects.join() === projects.join();
    },
  };
}
