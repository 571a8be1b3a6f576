import type { HandledRoutes } from '@yardarm/contract';
import { settings } from '#config/settings.ts';
import { actionRetention, callRetention, type Runner } from '#features/automation/actions/index.ts';
import { type AlertTracker, tellAlertsWithoutEffect } from '#features/automation/firing-alerts/index.ts';
import { incidentGrouping, incidentRetention } from '#features/automation/incidents/index.ts';
import { overrideExpiry } from '#features/flags/overrides/index.ts';
import { acknowledgementRetention, reminders } from '#features/integrations/acknowledgements/index.ts';
import { threadRetention } from '#features/integrations/integrations/index.ts';
import {
  type EventRetention,
  type EventSearchOptions,
  eventHandlers,
  eventRetention,
} from '#features/log/events/index.ts';
import type { QueryRunner } from '#features/metrics/external-metrics/index.ts';
import type { ImpactRecorder } from '#features/metrics/impact-metrics/index.ts';
import {
  apiTokenHandlers,
  createInitialTokens,
  createTokenLookup,
  createTokenUsageRecorder,
  edgeHandlers,
  encryptedSecrets,
  hashedSecrets,
  type SecretStorage,
  type TokenLookup,
  TokensInMemory,
} from '#features/people/api-tokens/index.ts';
import { loginHistoryRetention } from '#features/people/login-history/index.ts';
import { type DeliverySender, deliveryRetention } from '#features/platform/deliveries/index.ts';
import type { MailQueue } from '#features/platform/email/index.ts';
import { isOnLegalHold } from '#features/platform/legal-hold/index.ts';
import type { LoopProbe } from '#features/platform/loop-probe/index.ts';
import { operatorJobs } from '#features/platform/operations/index.ts';
import type { Publisher } from '#features/sdks/replication/index.ts';
import { rollUpCounts, type Usage, usageRetention } from '#features/sdks/usage/index.ts';
import { signalRetention } from '#features/signals/signals/index.ts';
import type { RouteRates } from '#http/bind.ts';
import type { Handlers } from '#http/handler.ts';
import type { NotModifiedCheck } from '#http/not-modified.ts';
import type { Guards } from '#http/request.ts';
import { createDiskSpace } from '#jobs/disk-space.ts';
import { createJobs, type JobKind, type Jobs } from '#jobs/runner.ts';
import type { TaskScheduler } from '#jobs/scheduler.ts';
import type { Loop } from '#kernel/loop.ts';
import { buildAccess } from './access.ts';
import { buildActions, buildRunContext } from './actions.ts';
import { limitBadTokens } from './bad-tokens.ts';
import { buildChangeRequests, reviewMailer } from './change-requests.ts';
import { commitHooks } from './commit-hooks.ts';
import { buildDeliveries } from './deliveries.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { buildEmail } from './email.ts';
import { buildActivity, buildEventFeed } from './event-feed.ts';
import { buildFlags } from './flags.ts';
import { buildHolds } from './holds.ts';
import { buildImpactMetrics } from './impact-metrics.ts';
import { buildIntegrations } from './integrations.ts';
import { limitsOf } from './limits.ts';
import { buildLoopProbe } from './loop-probe.ts';
import { buildOperations } from './operations.ts';
import { buildReleasePlans } from './release-plans.ts';
import { buildReplication } from './replication.ts';
import { buildSdk } from './sdk.ts';
import { buildSecurityEvents, type SecurityEvents } from './security-events.ts';
import { buildSignals } from './signals.ts';

export interface Service {
  readonly handlers: Handlers<HandledRoutes>;
  readonly guards: Guards;
  readonly rates: RouteRates;
  readonly jobs: Jobs;
  readonly diskSpace: Loop<number>;
  readonly schedules: TaskScheduler;
  readonly expiries: TaskScheduler;
  readonly stepDowns: TaskScheduler;
  /** Announces each hold ten minutes before it expires. */
  readonly announcements: TaskScheduler;
  readonly usage: Usage;
  readonly impactMetrics: ImpactRecorder;
  readonly externalMetrics: QueryRunner;
  readonly unchanged: ReadonlyMap<string, NotModifiedCheck>;
  /** Returns the origins whose pages may use the frontend API; an empty list allows all. */
  readonly frontendOrigins: () => readonly string[];
  readonly staleness: Loop<number>;
  readonly deliveries: DeliverySender;
  /** E-mail to users; undefined without a mail server. */
  readonly email: MailQueue | undefined;
  readonly actions: Runner;
  readonly alerts: AlertTracker;
  readonly securityEvents: SecurityEvents;
  readonly publisher: Publisher;
  /** The loop probe; undefined when a setting turns it off. */
  readonly loopProbe: LoopProbe | undefined;
}

/** Wires the features together. Hooks are registered before the first change; nothing runs in the background yet. */
export async function buildService(parts: ServiceDependencies): Promise<Service> {
  const { config, clock, database } = parts;
  const badTokens = limitBadTokens(config, clock, (points) => database.limiter('bad-token', points, 60));
  const secrets = config.readableSecrets ? encryptedSecrets(database.seal) : hashedSecrets;
  const securityEvents = buildSecurityEvents(parts);
  const email = buildEmail(parts);
  const activity = buildActivity(parts);
  const deliveries = buildDeliveries(parts, activity, email.mailer);
  const runContext = buildRunContext(parts, deliveries.sender);
  for (const hook of commitHooks(parts, runContext)) database.beforeCommit(hook);
  const { tokens, inMemory } = await buildTokens(parts, secrets);
  const access = await buildAccess(parts, tokens, badTokens, securityEvents.failedLogins, email.sendToUser);
  const onReview = reviewMailer(parts, email.sendToUser);
  const flags = await buildFlags(parts, secrets, onReview);
  const changeRequests = buildChangeRequests(parts, onReview);
  const { handlers: holdHandlers, ...holdSchedulers } = buildHolds(parts);
  const releasePlans = buildReleasePlans(parts);
  const impactMetrics = buildImpactMetrics(parts);
  const sdk = await buildSdk(parts, tokens, badTokens, changeRequests.preview, impactMetrics.recorder);
  const eventFeed = buildEventFeed(parts, activity, access.identifyReader);
  const actions = buildActions(parts, runContext, activity, impactMetrics.queryNow);
  const signals = buildSignals(parts, badTokens, activity, actions.runner, securityEvents.refusedSignals);
  const loopProbe = buildLoopProbe(parts, signals.ingest, actions.runner, sdk.streams);
  const operations = await buildOperations(parts, access.authSettings, loopProbe, sdk.movedUsers);
  const replication = buildReplication(parts, { ...sdk, tokens, inMemory, badTokens, ...operations });
  return {
    ...buildJobs(parts, [actions, signals, releasePlans, impactMetrics]),
    frontendOrigins: operations.frontendApiOrigins,
    schedules: changeRequests.schedules,
    ...holdSchedulers,
    impactMetrics: impactMetrics.recorder,
    externalMetrics: impactMetrics.queryRunner,
    ...{ rates: sdk.rates, usage: sdk.usage, unchanged: sdk.unchanged },
    staleness: flags.staleness,
    deliveries: deliveries.sender,
    email: email.queue,
    actions: actions.runner,
    alerts: signals.alerts,
    ...{ securityEvents, publisher: replication.publisher, loopProbe },
    guards: {
      ...{ admin: operations.outsideMaintenance(access.guard), project: access.projectGuard },
      ...{ ...sdk.guards, signal: signals.guard, replica: replication.guard },
    },
    handlers: {
      ...signals.handlers,
      ...eventHandlers(database, searchLimits(config)),
      ...eventFeed.handlers,
      ...apiTokenHandlers(database, { limit: limitsOf(config).apiTokens, secrets }),
      ...edgeHandlers(database, clock, badTokens),
      ...access.handlers,
      ...flags.handlers,
      ...changeRequests.handlers,
      ...holdHandlers,
      ...releasePlans.handlers,
      ...impactMetrics.handlers,
      ...sdk.handlers,
      ...replication.handlers,
      ...buildIntegrations(parts),
      ...deliveries.handlers,
      ...actions.handlers,
      ...operations.handlers,
    },
  };
}

function searchLimits(config: ServiceDependencies['config']): EventSearchOptions {
  const { eventSearchRows: rows, eventSearchTimeoutMs: timeoutMs, eventSearchQueue: atOnce } = config;
  return { rows, timeoutMs, atOnce };
}

/** Creates the lookup of API tokens, and the tokens of the settings in a new instance. */
async function buildTokens(
  { config, clock, database, log, lifetime }: ServiceDependencies,
  secrets: SecretStorage,
): Promise<{ readonly tokens: TokenLookup; readonly inMemory: TokensInMemory }> {
  const tokenUsage = createTokenUsageRecorder(database, clock, (error) =>
    log.error({ err: error }, 'storing when API tokens were last used failed; it is retried'),
  );
  lifetime.onStop('last use of API tokens', () => tokenUsage.stop());
  const initial = {
    admin: config.initAdminTokens,
    backend: config.initBackendTokens,
    frontend: config.initFrontendTokens,
    replica: config.initReplicaTokens,
  };
  const unused = await createInitialTokens(database, initial, secrets);
  if (unused.length > 0) {
    const names = {
      admin: settings.initAdminTokens,
      backend: settings.initBackendTokens,
      frontend: settings.initFrontendTokens,
      replica: settings.initReplicaTokens,
    };
    log.warn(
      { settings: unused.map((type) => names[type].names[0]) },
      'the tokens of these settings were not created, because there are API tokens already; create them in the admin UI, or remove the settings',
    );
  }
  const failed = (error: unknown) => log.error({ err: error }, 'reading API tokens failed; it is retried');
  const inMemory = await TokensInMemory.load(database, failed);
  lifetime.onStop('API tokens in memory', () => inMemory.stop());
  return { tokens: createTokenLookup(database, inMemory, clock, tokenUsage.record), inMemory };
}

/** Builds the runner of jobs, and the incremental vacuum. */
function buildJobs(
  { config, clock, database, log }: ServiceDependencies,
  features: readonly { readonly jobs: readonly JobKind[] }[],
) {
  const failed = (message: string) => (error: unknown) => log.error({ err: error }, message);
  const kinds = [...jobKinds({ config, database }), ...features.flatMap(({ jobs }) => jobs)];
  return {
    jobs: createJobs(database, clock, kinds, failed('a job failed')),
    diskSpace: createDiskSpace(database, failed('reclaiming free disk space failed')),
  };
}

/** Returns the recurring jobs. */
function jobKinds({ config, database }: Pick<ServiceDependencies, 'config' | 'database'>): JobKind[] {
  const evidence = { signalDays: config.signalRetentionDays, eventDays: config.eventRetentionChangesDays };
  return [
    eventRetention(eventRetentionOf(config), isOnLegalHold),
    ...signalRetention(evidence, isOnLegalHold),
    ...actionRetention(evidence, isOnLegalHold),
    callRetention(isOnLegalHold),
    overrideExpiry,
    tellAlertsWithoutEffect,
    ...reminders(config.reminderMinutes),
    acknowledgementRetention,
    rollUpCounts(database.engine),
    deliveryRetention(isOnLegalHold),
    threadRetention,
    incidentGrouping,
    incidentRetention(isOnLegalHold),
    usageRetention({ counts: config.usageRetentionDays, applications: config.applicationRetentionDays }),
    loginHistoryRetention(config.loginHistoryRetentionDays, isOnLegalHold),
    ...operatorJobs,
  ];
}

function eventRetentionOf(config: ServiceDependencies['config']): EventRetention {
  return {
    changes: config.eventRetentionChangesDays,
    'sign-in': config.eventRetentionSignInDays,
    refusals: config.eventRetentionRefusalsDays,
    operations: config.eventRetentionOperationsDays,
  };
}
