import type { streamingRoutes } from '@yardarm/contract';
import { bearerToken } from '../../http/bearer.ts';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { SdkCaller } from '../../kernel/caller.ts';
import type { Database } from '../../storage/database.ts';
import { checkClientSpec, queryFor, type ReadyAnswers, revisionIn, type Snapshot } from '../sdk/index.ts';
import type { TokenLookup } from '../tokens/index.ts';
import type { Pass, Streams } from './streams.ts';
import { flagView } from './view.ts';

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
      checkClientSpec(request.header('unleash-client-spec'));
      streams.requireRoom();
      const view = flagView(snapshot, hydrations, queryFor(caller, query, false));
      const pass = passOf(tokens, bearerToken(request.header('authorization')), caller);
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
function passOf(tokens: TokenLookup, secret: string | undefined, caller: SdkCaller): Pass {
  if (secret === undefined) return { key: '', stillHolds: async () => true };
  const { environment, projects } = caller;
  return {
    key: secret,
    stillHolds: async () => {
      const token = await tokens.find(secret);
      return token?.environment === environment && token.projects.join() === projects.join();
    },
  };
}
