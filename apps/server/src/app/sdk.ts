import { hostname } from 'node:os';
import { type MovedOptions, MovedUsers } from '#features/automation/incidents/index.ts';
import { createStageTracker } from '#features/flags/lifecycle/index.ts';
import type { ImpactRecorder } from '#features/metrics/impact-metrics/index.ts';
import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { milestoneEffectHandlers } from '#features/releases/milestone-effects/index.ts';
import type { PreviewRequest } from '#features/review/change-requests/index.ts';
import { playgroundHandlers } from '#features/review/playground/index.ts';
import { applicationHandlers, unknownFlagHandlers } from '#features/sdks/applications/index.ts';
import { frontendHandlers } from '#features/sdks/frontend/index.ts';
import { ofrepHandlers } from '#features/sdks/ofrep/index.ts';
import { RecentContexts } from '#features/sdks/recent-contexts/index.ts';
import {
  AnswerCache,
  createSdkGuard,
  createStreamGuard,
  deltaNotModified,
  EvaluationBudgets,
  FlagSetCache,
  featuresNotModified,
  fullAnswer,
  hydration,
  type Snapshot,
  SnapshotReader,
  sdkHandlers,
  streamToken,
} from '#features/sdks/sdk/index.ts';
import { streamingHandlers } from '#features/sdks/streaming/index.ts';
import { createUsage, usageHandlers } from '#features/sdks/usage/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import type { RouteRates } from '#http/bind.ts';
import { localRateLimit } from '#http/rate-limit.ts';
import { Streams } from '#http/streams.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { version } from './version.ts';

/**
 * The memory limit of the cache of serialized answers of one format: about fifty times the flags of a large instance.
 */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Wires the APIs for SDKs. Resolves when all flags are in memory. */
export async function buildSdk(
  parts: ServiceDependencies,
  tokens: TokenLookup,
  badTokens: BadTokenLimit,
  preview: PreviewRequest,
  impactMetrics: ImpactRecorder,
) {
  const { config, clock, database, metrics } = parts;
  const reader = await SnapshotReader.follow(database);
  const { snapshot } = reader;
  const answers = new AnswerCache(snapshot, fullAnswer, maxAnswerBytes);
  const hydrations = new AnswerCache(snapshot, hydration, maxAnswerBytes);
  const streams = buildStreams(parts, snapshot);
  const flagSets = new FlagSetCache(snapshot);
  const usage = buildUsage(parts);
  const budgets = buildBudgets(metrics);
  const recentContexts = new RecentContexts(clock, config.recentContextLimit);
  const surroundings = { clock, random: Math.random, hostname: process.env.HOSTNAME || hostname(), budgets };
  const movedUsers = buildMovedUsers(parts, reader, { flagSets, recentContexts, ...surroundings });
  return {
    usage,
    movedUsers,
    streams,
    rates: sdkRates(config, clock),
    unchanged: new Map([
      ['/api/client/features', featuresNotModified(tokens, answers)],
      ['/api/client/delta', deltaNotModified(tokens, snapshot)],
    ]),
    streamGuard: createStreamGuard({ authType: config.authType, tokens, badTokens, clock }),
    guard: createSdkGuard({ authType: config.authType, tokens, badTokens }),
    handlers: {
      ...sdkHandlers({ snapshot, answers, hydrations, usage, impactMetrics, version }),
      ...streamingHandlers({ database, snapshot, hydrations, streams, tokens }),
      ...applicationHandlers(database, clock),
      ...unknownFlagHandlers(database),
      ...usageHandlers(database, clock),
      ...frontendHandlers({
        flagSets,
        usage,
        recentContexts,
        ...surroundings,
      }),
      ...ofrepHandlers({
        flagSets,
        ...surroundings,
        usage,
        recentContexts,
        position: (environment) => snapshot.position(environment),
        catchUp: async () => {
          database.feed.wake();
          await database.feed.idle();
        },
        eventStream: async ({ tokenId }) => {
          const known = tokenId === null ? undefined : await tokens.findById(tokenId);
          const path = `/ofrep/v1/event-stream?token=${streamToken(known, clock.now())}`;
          // Without a public URL, the answer names a path, which the OFREP provider resolves against the URL that it
          // called.
          if (config.publicUrl !== '') return { type: 'sse', url: config.publicUrl + path };
          return { type: 'sse', endpoint: { requestUri: config.basePath + path } };
        },
      }),
      ...milestoneEffectHandlers({ database, flagSets, recentContexts, ...surroundings }),
      ...playgroundHandlers({ database, snapshot, flagSets, ...surroundings, basePath: config.basePath, preview }),
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

/** Returns the rate limits of SDK routes by client address or backend token. */
function sdkRates(config: ServiceDependencies['config'], clock: Clock): RouteRates {
  const perMinute = (counted: string, points: number) => localRateLimit(clock, counted, points, 60);
  const evaluations = perMinute('evaluations', config.ofrepRatePerMinute);
  const reports = perMinute('reports of usage with one token', config.clientMetricsRatePerMinute);
  return {
    'POST /api/client/metrics': reports,
    'POST /api/client/metrics/bulk': reports,
    'POST /api/client/register': perMinute('registrations with one token', config.clientRegisterRatePerMinute),
    'POST /api/frontend/client/metrics': perMinute('reports of usage', config.frontendMetricsRatePerMinute),
    'POST /api/frontend/client/register': perMinute('registrations', config.frontendRegisterRatePerMinute),
    'POST /ofrep/v1/evaluate/flags': evaluations,
    'POST /ofrep/v1/evaluate/flags/:key': evaluations,
  };
}

/** Creates the streams that send changes to connected SDKs, and their metrics. */
function buildStreams(
  { clock, config, database, log, lifetime, metrics }: ServiceDependencies,
  snapshot: Snapshot,
): Streams {
  const streams = new Streams({
    limit: config.streamLimit,
    tokenShare: config.streamTokenShare,
    heartbeatMs: config.streamHeartbeatSeconds * 1000,
    now: () => clock.now(),
    onError: (error) => log.error({ err: error }, 'sending changes to SDKs failed'),
  });
  const delivered = metrics.timeEach(
    'sdk_change_delay_seconds',
    'Time from the commit of a change until it was written to the streams of SDKs by this process',
    'to',
    ['streams'],
  );
  lifetime.onStop('streams', () => streams.stop());
  snapshot.onInvalidated((environment) => streams.invalidate(environment));
  database.feed.subscribe({
    events: (events) => {
      const [oldest] = events;
      if (oldest !== undefined && streams.delivery !== undefined)
        void streams.delivery.then(() => delivered('streams', (clock.now() - oldest.created_at) / 1000));
      if (events.some(({ type }) => type === 'streams-ended')) streams.endAll();
      if (events.some(({ type }) => type === 'api-token-updated' || type === 'api-token-deleted')) streams.recheck();
    },
    // The snapshot has been reset before.
    reset: () => {
      streams.sendAllAnew();
      streams.recheck();
    },
  });
  const { counts } = streams;
  metrics.watch('gauge', 'sdk_streams_open', 'Streams to SDKs that are open', () => streams.open);
  metrics.watch('counter', 'sdk_stream_messages_total', 'Messages sent on streams to SDKs', () => counts.messages);
  metrics.watch(
    'counter',
    'sdk_stream_rehydrations_total',
    'Messages on streams that contained all flags because the changes were no longer known',
    () => counts.rehydrations,
  );
  metrics.watch(
    'counter',
    'sdk_stream_held_back_total',
    'Changes held back from streams whose readers were behind',
    () => counts.heldBack,
  );
  metrics.watch(
    'counter',
    'sdk_streams_stalled_total',
    'Streams that were closed because their reader had stalled',
    () => counts.stalled,
  );
  return streams;
}

/** Creates the evaluation budgets, and the metric of constraints over the budget. */
function buildBudgets(metrics: ServiceDependencies['metrics']): EvaluationBudgets {
  const budgets = new EvaluationBudgets();
  metrics.watch(
    'counter',
    'evaluation_over_budget_total',
    'Constraints that counted as not met because testing them would have exceeded the evaluation budget',
    () => budgets.refused,
  );
  return budgets;
}
