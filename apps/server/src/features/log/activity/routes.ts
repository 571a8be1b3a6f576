import type { activityRoutes } from '@yardarm/contract';
import { streamAccess } from '#features/log/event-feed/index.ts';
import { shareBytes } from '#http/event-stream.ts';
import type { Handlers } from '#http/handler.ts';
import type { RequestInfo } from '#http/request.ts';
import type { Message, View } from '#http/stream-view.ts';
import type { Streams } from '#http/streams.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Activity } from './activity.ts';

/** `identify` identifies the caller of a request again, to end the streams of callers who have lost their access. */
export function activityHandlers(
  activity: Activity,
  streams: Streams,
  identify: (request: RequestInfo) => Promise<Identity>,
): Handlers<typeof activityRoutes> {
  return {
    'GET /api/admin/activity': ({ caller, request }) => {
      const access = streamAccess(identify, caller, request);
      streams.requireCapacity(access);
      return { body: (stream) => streams.join(stream, viewOf(activity, streams.heartbeatMs), access, undefined) };
    },
  };
}

/** Returns the view of the stream. All readers share each message. */
function viewOf(activity: Activity, heartbeatMs: number): View {
  const message = (): Message => ({
    revision: activity.revision,
    bytes: shareBytes([Buffer.from(`data: ${JSON.stringify(activity.numbers)}\n\n`)]),
    isRehydration: false,
  });
  return {
    key: 'activity',
    environment: null,
    // The heartbeat is an event, because browsers do not pass the comments of a stream to the page.
    heartbeat: shareBytes([Buffer.from(`event: heartbeat\ndata: ${heartbeatMs}\n\n`)]),
    revision: () => activity.revision,
    first: message,
    next: message,
  };
}
