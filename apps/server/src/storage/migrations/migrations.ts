import { firstSchema } from './0001-first-schema/index.ts';
import { eventOrigin } from './0002-event-origin.ts';
import { eventConsumers } from './0003-event-consumers.ts';
import { signalDigests } from './0004-signal-digests.ts';
import { deliveries } from './0005-deliveries.ts';
import { eventReason } from './0006-event-reason.ts';
import { signalSources } from './0007-signal-sources.ts';
import { signalFields } from './0008-signal-fields.ts';
import { signalRetention } from './0009-signal-retention.ts';
import { signalSubscriptions } from './0010-signal-subscriptions.ts';
import { automationOverrides } from './0011-automation-overrides.ts';
import { holdsOfSets } from './0012-holds-of-sets.ts';
import { alertEnds } from './0013-alert-ends.ts';
import { releaseFilters } from './0014-release-filters.ts';
import { announcedExpiries } from './0015-announced-expiries.ts';
import { onCallRole } from './0016-on-call-role.ts';
import { expectedSignals } from './0017-expected-signals.ts';
import { retriedHolds } from './0018-retried-holds.ts';
import { endpointsOfIncidents } from './0019-endpoints-of-incidents.ts';
import { messageThreads } from './0020-message-threads.ts';
import { blockedActionSets } from './0021-blocked-action-sets.ts';
import { undecidedHolds } from './0022-undecided-holds.ts';
import { firingAlerts } from './0025-firing-alerts.ts';
import { tokenLimits } from './0026-token-limits.ts';
import { hashedValues } from './0027-hashed-values.ts';
import { silenceTriggers } from './0028-silence-triggers.ts';
import { releasePlans } from './0029-release-plans.ts';
import { impactMetrics } from './0030-impact-metrics.ts';
import { haltsOfPlans } from './0031-halts-of-plans.ts';
import { externalMetrics } from './0032-external-metrics.ts';
import { expectedFilters } from './0033-expected-filters.ts';
import { metricCharts } from './0034-metric-charts.ts';
import { onCallReadsSignals } from './0035-on-call-reads-signals.ts';
import { templatesOfProjects } from './0036-templates-of-projects.ts';
import { holdsAtMilestones } from './0037-holds-at-milestones.ts';
import { holdsOfSafeguards } from './0040-holds-of-safeguards.ts';
import { shadowPlans } from './0041-shadow-plans.ts';
import { deletedPrivateProjects } from './0042-deleted-private-projects.ts';
import { logEpoch } from './0050-log-epoch.ts';
import { identitiesOfAlerts } from './0053-identities-of-alerts.ts';
import { alertsOfGroups } from './0054-alerts-of-groups.ts';
import { agreedSwitches } from './0055-agreed-switches.ts';
import { deadLettersInARow } from './0056-dead-letters-in-a-row.ts';
import { looseNumbers } from './0059-loose-numbers.ts';
import { tokenScopes } from './0062-token-scopes.ts';
import { accountControllers } from './0065-account-controllers.ts';
import { safeguardsWithoutData } from './0066-safeguards-without-data.ts';
import { stepsDownAndRests } from './0067-steps-down-and-rests.ts';
import { onCallLowersExposure } from './0068-on-call-lowers-exposure.ts';
import { acknowledgements } from './0069-acknowledgements.ts';
import { endsOfEditedSets } from './0070-ends-of-edited-sets.ts';
import { outlastedOverrides } from './0071-outlasted-overrides.ts';
import { incidents } from './0072-incidents.ts';
import { toldThreads } from './0073-told-threads.ts';
import { serverTimeline } from './0074-server-timeline.ts';
import { movedContexts } from './0076-moved-contexts.ts';
import { begunSignals } from './0078-begun-signals.ts';
import { replicaReports } from './0079-replica-reports.ts';
import type { MigrationStatements } from './dialect.ts';

/**
 * Every migration by name, in order. A migration that has landed is never edited, since databases have run it: a change
 * of the schema is a new migration. `checksums.json` holds the checksum of each one.
 */
export const migrations: Readonly<Record<string, MigrationStatements>> = {
  '0001-first-schema': firstSchema,
  '0002-event-origin': eventOrigin,
  '0003-event-consumers': eventConsumers,
  '0004-signal-digests': signalDigests,
  '0005-deliveries': deliveries,
  '0006-event-reason': eventReason,
  '0007-signal-sources': signalSources,
  '0008-signal-fields': signalFields,
  '0009-signal-retention': signalRetention,
  '0010-signal-subscriptions': signalSubscriptions,
  '0011-automation-overrides': automationOverrides,
  '0012-holds-of-sets': holdsOfSets,
  '0013-alert-ends': alertEnds,
  '0014-release-filters': releaseFilters,
  '0015-announced-expiries': announcedExpiries,
  '0016-on-call-role': onCallRole,
  '0017-expected-signals': expectedSignals,
  '0018-retried-holds': retriedHolds,
  '0019-endpoints-of-incidents': endpointsOfIncidents,
  '0020-message-threads': messageThreads,
  '0021-blocked-action-sets': blockedActionSets,
  '0022-undecided-holds': undecidedHolds,
  '0025-firing-alerts': firingAlerts,
  '0026-token-limits': tokenLimits,
  '0027-hashed-values': hashedValues,
  '0028-silence-triggers': silenceTriggers,
  '0029-release-plans': releasePlans,
  '0030-impact-metrics': impactMetrics,
  '0031-halts-of-plans': haltsOfPlans,
  '0032-external-metrics': externalMetrics,
  '0033-expected-filters': expectedFilters,
  '0034-metric-charts': metricCharts,
  '0035-on-call-reads-signals': onCallReadsSignals,
  '0036-templates-of-projects': templatesOfProjects,
  '0037-holds-at-milestones': holdsAtMilestones,
  '0040-holds-of-safeguards': holdsOfSafeguards,
  '0041-shadow-plans': shadowPlans,
  '0042-deleted-private-projects': deletedPrivateProjects,
  '0050-log-epoch': logEpoch,
  '0053-identities-of-alerts': identitiesOfAlerts,
  '0054-alerts-of-groups': alertsOfGroups,
  '0055-agreed-switches': agreedSwitches,
  '0056-dead-letters-in-a-row': deadLettersInARow,
  '0059-loose-numbers': looseNumbers,
  '0062-token-scopes': tokenScopes,
  '0065-account-controllers': accountControllers,
  '0066-safeguards-without-data': safeguardsWithoutData,
  '0067-steps-down-and-rests': stepsDownAndRests,
  '0068-on-call-lowers-exposure': onCallLowersExposure,
  '0069-acknowledgements': acknowledgements,
  '0070-ends-of-edited-sets': endsOfEditedSets,
  '0071-outlasted-overrides': outlastedOverrides,
  '0072-incidents': incidents,
  '0073-told-threads': toldThreads,
  '0074-server-timeline': serverTimeline,
  '0076-moved-contexts': movedContexts,
  '0078-begun-signals': begunSignals,
  '0079-replica-reports': replicaReports,
};
