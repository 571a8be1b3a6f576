import { Activity, activityHandlers } from '#features/log/activity/index.ts';
import { eventConsumerHandlers, isHiddenFrom, listConsumers } from '#features/log/event-consumers/index.ts';
import { eventFeedHandlers, FeedReader } from '#features/log/event-feed/index.ts';
import { privateProjects } from '#features/people/access/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import type { RequestInfo } from '#http/request.ts';
import { Streams } from '#http/streams.ts';
import type { Identity } from '#kernel/caller.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Creates the activity numbers: they tell open pages of the user interface that there is something new. */
export function buildActivity({ clock, database, log, lifetime }: ServiceDependencies): Activity {
  const activity = new Activity(database, clock, (error) =>
    log.error({ err: error }, 'telling open pages of changes failed'),
  );
  lifetime.onStop('activity', () => activity.stop());
  return activity;
}

/** The parts of a change after which the access of open streams is checked again. */
const rechecked = ['access-rights', 'personal-tokens', 'api-tokens', 'sessions'] as const;

/** Wires the event feed: pages, streams and consumers of the event log, and the stream of live pages. */
export function buildEventFeed(
  parts: ServiceDependencies,
  activity: Activity,
  identify: (request: RequestInfo) => Promise<Identity>,
) {
  const { config, clock, database, log, lifetime, metrics, publicUrl } = parts;
  const reader = new FeedReader(database, config.eventReaderLimit);
  const streams = new Streams({
    limit: config.eventReaderLimit,
    tokenShare: 100,
    heartbeatMs: config.streamHeartbeatSeconds * 1000,
    now: () => clock.now(),
    onError: (error) => log.error({ err: error }, 'sending events to readers of the feed failed'),
  });
  lifetime.onStop('event streams', () => streams.stop());
  activity.onChanged(() => streams.invalidate(null));
  database.feed.subscribe({
    events: (events) => {
      streams.invalidate(null);
      if (events.some((event) => rechecked.some((part) => touches(event, part)))) streams.recheck();
    },
    // The readers reconnect, and those with a position of before are refused.
    reset: () => streams.endAll(),
  });
  metrics.watch(
    'counter',
    'event_log_went_back_total',
    'Times that the event log went back below this process, which dropped all caches',
    () => database.feed.resets,
  );
  metrics.watch('gauge', 'event_streams_open', 'Streams of events that are open', () => streams.open);
  metrics.watchEach('event_consumer_lag', 'Events that a consumer has not acknowledged', 'consumer', async () => {
    // Without the database this metric has no values, and the other metrics are still served.
    const consumers = await listConsumers(database.db).catch(() => []);
    const hidden = await privateProjects(database.db).catch(() => undefined);
    const lags = new Map<string, number>();
    for (const consumer of hidden === undefined ? [] : consumers) {
      // Metrics need no login, so the consumers of private projects have no name here.
      const label = isHiddenFrom(consumer, hidden ?? new Set()) ? '(private)' : consumer.name;
      lags.set(label, Math.max(lags.get(label) ?? 0, reader.newest - consumer.acknowledged));
    }
    return [...lags];
  });
  return {
    handlers: {
      ...eventFeedHandlers({
        database,
        reader,
        streams,
        identify,
        baseUrl: publicUrl,
      }),
      ...eventConsumerHandlers(database, reader, clock),
      ...activityHandlers(activity, streams, identify),
    },
  };
}
