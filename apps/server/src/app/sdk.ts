import { type MovedOptions, MovedUsers } from '#features/automation/incidents/index.ts';
import { createStageTracker } from '#features/flags/lifecycle/index.ts';
import type { ImpactRecorder } from '#features/metrics/impact-metrics/index.ts';
import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { milestoneEffectHandlers } from '#features/releases/milestone-effects/index.ts';
import type { PreviewRequest } from '#features/review/change-requests/index.ts';
import { playgroundHandlers } from '#features/review/playground/index.ts';
import { applicationHandlers, unknownFlagHandlers } from '#features/sdks/applications/index.ts';
import { SnapshotReader } from '#features/sdks/sdk/index.ts';
import { streamsHandlers } from '#features/sdks/streaming/index.ts';
import { createUsage, usageHandlers } from '#features/sdks/usage/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import { buildDelivery } from './delivery.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Wires the APIs for SDKs. Resolves when all flags are in memory. */
export async function buildSdk(
  parts: ServiceDependencies,
  tokens: TokenLookup,
  badTokens: BadTokenLimit,
  preview: PreviewRequest,
  impactMetrics: ImpactRecorder,
) {
  const { config, clock, database } = parts;
  const reader = await SnapshotReader.follow(database);
  const { snapshot } = reader;
  const usage = buildUsage(parts);
  const delivery = buildDelivery(parts, {
    ...{ snapshot, tokens, badTokens, usage, impactMetrics },
    catchUp: async () => {
      database.feed.wake();
      await database.feed.idle();
    },
  });
  const { streams, evaluation } = delivery;
  database.feed.subscribe({
    events: (events) => {
      const [oldest] = events;
      if (oldest !== undefined) delivery.delivered(oldest.created_at);
      if (events.some(({ type }) => type === 'streams-ended')) streams.endAll();
      if (events.some(({ type }) => type === 'api-token-updated' || type === 'api-token-deleted')) streams.recheck();
    },
    // The snapshot has been reset before.
    reset: () => {
      streams.sendAllAnew();
      streams.recheck();
    },
  });
  return {
    ...delivery,
    ...{ snapshot, usage, impactMetrics },
    movedUsers: buildMovedUsers(parts, reader, evaluation),
    handlers: {
      ...delivery.handlers,
      ...streamsHandlers(database),
      ...applicationHandlers(database, clock),
      ...unknownFlagHandlers(database),
      ...usageHandlers(database, clock),
      ...milestoneEffectHandlers({ database, ...evaluation }),
      ...playgroundHandlers({ database, snapshot, ...evaluation, basePath: config.basePath, preview }),
    },
  };
}

/** Wires what SDKs report about usage. */
function buildUsage({ config, clock, database, log, lifetime, metrics }: ServiceDependencies) {
  const stageTracker = createStageTracker(database, (error) =>
    log.error({ err: error }, 'storing the stages of flags failed; it is retried'),
  );
  const usage = createUsage(database, clock, {
    applicationLimit: config.applicationLimit,
    onError: (error) => log.error({ err: error }, 'storing usage counts failed; it is retried'),
    seen: stageTracker.recordEvaluated,
  });
  metrics.watch(
    'counter',
    'usage_counts_dropped_total',
    'Counts in usage reports of SDKs that were dropped because they were older than three days',
    () => usage.dropped,
  );
  lifetime.onStop('usage', () => usage.stop());
  return usage;
}

/** Wires the counts of users whom automation moved: they follow the flags in memory. */
function buildMovedUsers(
  { database, log, lifetime }: ServiceDependencies,
  reader: SnapshotReader,
  options: Omit<MovedOptions, 'database' | 'onError'>,
): MovedUsers {
  const onError = (error: unknown) => log.error({ err: error }, 'counting the users that automation moved failed');
  const movedUsers = new MovedUsers({ ...options, database, onError });
  reader.onReplaced((replaced) => movedUsers.note(replaced));
  lifetime.onStop('users that automation moved', () => movedUsers.stop());
  return movedUsers;
}
