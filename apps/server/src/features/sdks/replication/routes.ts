import { replicationProtocol, type replicationRoutes } from '@yardarm/contract';
import { readerPosition, type Snapshot, streamAccess } from '#features/sdks/sdk/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Streams } from '#http/streams.ts';
import { badField } from '#kernel/errors.ts';
import type { Publisher } from './publisher.ts';
import { type ReportReceivers, receiveReport } from './receive-report.ts';
import { ReplicaScope } from './scope.ts';

export interface ReplicationOptions extends ReportReceivers {
  readonly snapshot: Snapshot;
  readonly publisher: Publisher;
  readonly streams: Streams;
}

/** Returns the handlers of what replicas read and report. */
export function replicationHandlers(options: ReplicationOptions): Handlers<typeof replicationRoutes> {
  const { snapshot, publisher, streams, tokens } = options;
  return {
    'GET /api/replica/stream': async ({ caller, query, request }) => {
      if (query.protocol !== replicationProtocol)
        throw badField(
          'protocol',
          `is ${query.protocol}; this server has version ${replicationProtocol}. Use a replica of its version, or one minor version before or after`,
        );
      const access = await streamAccess(tokens, caller);
      streams.requireCapacity(access);
      const view = publisher.view(new ReplicaScope(caller));
      const last = readerPosition(snapshot, request.header('last-event-id'));
      return { body: (stream) => streams.join(stream, view, access, last) };
    },
    'POST /api/replica/reports': async ({ caller, body }) => {
      await receiveReport(options, body, new ReplicaScope(caller));
    },
  };
}
