import { z } from 'zod';
import { attentionDataSchema } from '../acknowledgements.ts';
import { actionSetSchema } from '../actions.ts';
import { oidcSettings } from '../auth-settings.ts';
import { banner } from '../banners.ts';
import { endpointRules, ownLimits, tokenLimits } from '../endpoint-rules.ts';
import type { EventType } from '../event-types.ts';
import { signingAlgorithms } from '../integration-deliveries.ts';
import { dateTime } from '../scalars.ts';
import { refusalReasons, signalAuthentication, signalSourceName } from '../signal-sources.ts';
import { after, before, both, nothing, type RecordedValues } from './recorded.ts';

/** The filters of an expected signal. */
const expectedFilters = endpointRules.expectedFilters
  .optional()
  .meta({ description: 'Absent in events of 0.1.0, when every signal was expected' });
const signalEndpoint = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  source: signalSourceName,
  ...ownLimits,
  ...endpointRules,
  // Events of earlier versions lack it.
  oneSender: endpointRules.oneSender.optional(),
  expectedFilters,
  enabledUntil: dateTime.nullable(),
});
const signalToken = z.object({
  id: z.number().int(),
  name: z.string(),
  // Events of earlier versions lack it.
  sender: z.string().nullable().optional(),
  signalEndpointId: z.number().int(),
  authentication: signalAuthentication,
  header: z.string().nullable(),
  ...tokenLimits,
  enabledUntil: dateTime.nullable(),
});

/** A note of a person in an incident. */
const incidentNote = z.object({ incidentId: z.number().int(), id: z.number().int(), note: z.string() });

/** An endpoint that expects signals and gets none, or gets signals again. */
const silence = z.object({
  id: z.number().int(),
  name: z.string(),
  expectedMinutes: z.number().int(),
  expectedFilters,
  silentSince: dateTime,
});

/** An endpoint of which an alert fires without effect. */
const alertsWithoutEffect = z.object({
  id: z.number().int(),
  name: z.string(),
  alerts: z
    .array(
      z.object({
        title: z.string().nullable(),
        link: z.string().nullable().meta({ description: 'The URL of the alert at its sender' }),
        since: dateTime,
        reason: z.string(),
      }),
    )
    .meta({ description: 'The newest 20' }),
  total: z.number().int(),
});

/** The requests that an endpoint refused for one reason, counted over a time. */
const refusedSignals = z.object({
  id: z.number().int().nullable().meta({ description: 'The endpoint; null for the endpoints beyond the first fifty' }),
  name: z.string().nullable(),
  tokenId: z.number().int().nullable().meta({ description: 'Null when the requests had no token of the endpoint' }),
  tokenName: z.string().nullable(),
  reasons: z.array(z.enum(refusalReasons)),
  refused: z.number().int(),
  addresses: z.number().int().meta({ description: 'The number of distinct client addresses; at most 1000' }),
  from: dateTime,
  to: dateTime,
});

const { match } = actionSetSchema.shape;
const actionSet = actionSetSchema.omit({ actions: true, createdAt: true, createdByUserId: true }).extend({
  match: match.extend({
    trigger: match.shape.trigger.optional().meta({ description: 'Absent in events of 0.1.0, which mean `signal`' }),
  }),
  actions: z.array(
    actionSetSchema.shape.actions.element.pick({ action: true, sortOrder: true, executionParams: true }),
  ),
});

/** The value of a setting; the id of the setting determines its schema. */
const setting = z.discriminatedUnion('id', [
  oidcSettings
    .omit({ secret: true, defaultRootRole: true })
    .extend({ id: z.literal('auth.oidc'), secretChanged: z.literal(true).optional() }),
  z.object({ id: z.literal('auth.simple'), disabled: z.boolean() }),
  z.object({ id: z.literal('automation.freeze'), frozen: z.boolean(), reason: z.string().nullable() }),
  z.object({ id: z.literal('frontend.cors'), frontendApiOrigins: z.array(z.string()) }),
  z.object({ id: z.templateLiteral(['import.', z.string()]), imported: z.boolean() }),
  z.object({
    id: z.literal('legal-hold'),
    enabled: z.boolean(),
    reason: z.string(),
    changedAt: dateTime,
    changedBy: z.string(),
  }),
  z.object({ id: z.literal('maintenance.mode'), enabled: z.boolean() }),
  z.object({
    id: z.literal('action-calls.signing-keys'),
    keys: z.array(z.object({ publicKey: z.string(), createdAt: dateTime, until: dateTime.nullable() })),
  }),
]);

const integration = z.object({
  id: z.number().int(),
  provider: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  events: z.array(z.string()),
  projects: z.array(z.string()),
  environments: z.array(z.string()),
  ordered: z.boolean(),
  actors: z.array(z.number().int()),
  cause: z.string(),
});
const integrationId = z.object({ id: z.number().int() });

const application = z.object({
  appName: z.string(),
  strategies: z.array(z.string()),
  description: z.string().nullable(),
  url: z.string().nullable(),
  color: z.string().nullable(),
  icon: z.string().nullable(),
  described: z.boolean(),
});

const filter = z.array(z.string()).nullable();
const eventConsumer = z.object({
  name: z.string(),
  description: z.string().nullable(),
  types: filter,
  projects: filter,
  environments: filter,
  features: filter,
});
const movedConsumer = eventConsumer.extend({
  acknowledged: z.number().int().optional().meta({ description: 'The position, when it was set' }),
});

const operatorAction = z.object({
  file: z.string(),
  rows: z.number().int(),
  user: z.string().meta({ description: 'The account of the operating system' }),
  host: z.string(),
  at: z.string(),
});

/** A run that failed or was stopped. */
const troubledRun = z.object({
  runId: z.number().int(),
  actionSetId: z.number().int(),
  name: z.string().meta({ description: 'The name of the action set' }),
  state: z.enum(['failed', 'skipped', 'waiting']),
  reason: z.string().nullable(),
});

/** A call of an action that was given up without being delivered. */
const givenUpCall = z.object({
  actionSetId: z.number().int(),
  name: z.string().meta({ description: 'The name of the action set' }),
  runId: z.number().int(),
  callId: z.number().int(),
  attempts: z.number().int(),
  status: z.number().int().nullable().meta({ description: 'The status of the last answer' }),
  error: z.string().meta({ description: 'The result of the last attempt, without secrets' }),
});

/** An action set whose service account lacks a permission that the set needs, or has got it again. */
const blockedSet = z.object({
  actionSetId: z.number().int(),
  name: z.string().meta({ description: 'The name of the action set' }),
  reason: z.string(),
  blockedSince: dateTime,
});
/** A run that waited for a person and that a person has approved or dropped. */
const decidedRun = troubledRun.omit({ state: true }).extend({ reason: z.string() });

/** The recorded values of the events of signals, actions, settings, integrations and the work of operators. */
export const operationEvents = {
  'signal-endpoint-created': after(signalEndpoint),
  'signal-endpoint-updated': both(signalEndpoint),
  'signal-endpoint-deleted': before(signalEndpoint),
  'signal-endpoint-tested': after(z.object({ id: z.number().int(), name: z.string(), signalId: z.number().int() })),
  'signal-endpoint-token-created': after(signalToken),
  'signal-endpoint-token-updated': both(signalToken),
  'signal-endpoint-token-deleted': before(signalToken),
  'signal-endpoint-silent': after(silence),
  'signal-endpoint-heard': after(silence),
  'signals-refused': after(refusedSignals),
  'signal-subscription-confirmed': after(z.object({ id: z.number().int(), topic: z.string() })),
  'signal-subscription-ended': after(z.object({ id: z.number().int(), topic: z.string() })),
  'actions-created': after(actionSet),
  'actions-updated': both(actionSet),
  'actions-deleted': before(actionSet),
  'action-run-failed': after(troubledRun),
  'action-run-stopped': after(troubledRun),
  'action-call-given-up': after(givenUpCall),
  'action-set-blocked': after(blockedSet),
  'action-set-unblocked': after(blockedSet),
  'automation-frozen': after(z.object({ reason: z.string().nullable() })),
  'automation-resumed': nothing,
  'automation-acknowledged': after(attentionDataSchema),
  'automation-acknowledgement-withdrawn': after(attentionDataSchema),
  'automation-unacknowledged': after(attentionDataSchema),
  'alerts-without-effect': after(alertsWithoutEffect),
  'alerts-without-effect-ended': after(alertsWithoutEffect.pick({ id: true, name: true })),
  'action-run-approved': after(decidedRun),
  'action-run-dropped': after(decidedRun),
  'action-calls-redelivered': after(
    z.object({
      actionSetId: z.number().int(),
      runId: z.number().int().optional().meta({ description: 'When the calls of one run were sent again' }),
      redelivered: z.number().int(),
    }),
  ),
  'incident-note-added': after(incidentNote),
  'incident-note-deleted': before(incidentNote),
  'setting-created': after(setting),
  'setting-updated': both(setting),
  'banner-created': after(banner),
  'banner-updated': both(banner),
  'banner-deleted': before(banner),
  'addon-config-created': after(integration),
  'addon-config-updated': both(integration),
  'addon-config-deleted': before(integration),
  'integration-paused': after(
    integrationId.extend({ failedAttempts: z.number().int(), lastError: z.string().nullable() }),
  ),
  'integration-refuses-events': after(
    integrationId.extend({
      deadLetters: z.number().int().meta({ description: 'Dead letters in a row' }),
      lastError: z.string(),
    }),
  ),
  'integration-resumed': after(integrationId),
  'integration-tested': after(integrationId.extend({ provider: z.string(), description: z.string().nullable() })),
  'integration-redelivered': after(
    integrationId.extend({
      redelivered: z.number().int(),
      deliveryId: z.number().int().optional(),
      failed: z.literal(true).optional(),
      sinceEventId: z.number().int().optional(),
      since: z.number().int().optional().meta({ description: 'In milliseconds' }),
    }),
  ),
  'integration-key-rotated': after(integrationId.extend({ algorithm: z.enum(signingAlgorithms) })),
  'application-created': after(application),
  'application-updated': both(application),
  'application-deleted': before(application),
  'streams-ended': nothing,
  'event-consumer-created': after(eventConsumer.extend({ acknowledged: z.number().int() })),
  'event-consumer-updated': both(movedConsumer),
  'event-consumer-deleted': before(eventConsumer),
  'server-started': after(
    z.object({
      version: z.string(),
      previousVersion: z.string().nullable(),
      changedSettings: z.array(z.string()).meta({ description: 'The names of the settings that changed' }),
    }),
  ),
  'backup-made': after(operatorAction),
  'database-restored': after(operatorAction),
  'log-went-back': after(
    z.object({
      known: z.number().int().meta({ description: 'The id of the last event that the server had seen' }),
      knownAt: dateTime.nullable().meta({ description: 'The time of that event' }),
      newest: z.number().int().meta({ description: 'The id of the newest event that the server found' }),
      newestAt: dateTime.nullable().meta({ description: 'The time of that event' }),
    }),
  ),
  'events-exported': after(
    z.object({
      format: z.enum(['json', 'ndjson', 'csv']),
      events: z.number().int(),
      filters: z.record(z.string(), z.string()),
    }),
  ),
} satisfies Partial<Record<EventType, RecordedValues>>;
