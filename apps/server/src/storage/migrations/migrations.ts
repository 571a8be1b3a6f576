import { events } from './0001-events.ts';
import { signals } from './0002-signals.ts';
import { flags } from './0003-flags.ts';
import { access } from './0004-access.ts';
import { sdk } from './0005-sdk.ts';
import { system } from './0006-system.ts';
import { segments } from './0007-segments.ts';
import { contextFields } from './0008-context-fields.ts';
import { dependencies } from './0010-dependencies.ts';
import { tags } from './0011-tags.ts';
import { flagExtras } from './0012-flag-extras.ts';
import { flagVariants } from './0013-flag-variants.ts';
import { strategies } from './0014-strategies.ts';
import { roles } from './0020-roles.ts';
import { groups } from './0021-groups.ts';
import { projectAccess } from './0022-project-access.ts';
import { projectSettings } from './0023-project-settings.ts';
import { invitations } from './0024-invitations.ts';
import { changeControl } from './0030-change-control.ts';
import { changeRequests } from './0031-change-requests.ts';
import { singleSignOn } from './0036-single-sign-on.ts';
import { interfaceState } from './0037-interface-state.ts';
import { provenAddresses } from './0038-proven-addresses.ts';
import { defaultStrategies } from './0040-default-strategies.ts';
import { limitsAndApprovals } from './0041-limits-and-approvals.ts';
import { lifecycle } from './0042-lifecycle.ts';
import { staleness } from './0043-staleness.ts';
import { applications } from './0045-applications.ts';
import { dailyCounts } from './0046-daily-counts.ts';
import { integrations } from './0047-integrations.ts';
import { tagColors } from './0050-tag-colors.ts';
import { actions } from './0060-actions.ts';
import { featureLeases } from './0063-feature-leases.ts';
import { actionCalls } from './0066-action-calls.ts';
import { sessionDevices } from './0071-session-devices.ts';
import { breakGlass } from './0086-break-glass.ts';
import { loginDelays } from './0088-login-delays.ts';
import { sealedSecrets } from './0090-sealed-secrets.ts';
import { inviteSecretHashes } from './0091-invite-secret-hashes.ts';
import { eventDays } from './0092-event-days.ts';
import { eventSearch } from './0094-event-search.ts';
import { actionRunsByState } from './0096-action-runs-by-state.ts';
import type { DataMigration, MigrationStatements } from './dialect.ts';

/** Every migration in order. One that has been released is never edited; a change is a new one. */
export const migrations: Readonly<Record<string, MigrationStatements | DataMigration>> = {
  '0001-events': events,
  '0002-signals': signals,
  '0003-flags': flags,
  '0004-access': access,
  '0005-sdk': sdk,
  '0006-system': system,
  '0007-segments': segments,
  '0008-context-fields': contextFields,
  '0010-dependencies': dependencies,
  '0011-tags': tags,
  '0012-flag-extras': flagExtras,
  '0013-flag-variants': flagVariants,
  '0014-strategies': strategies,
  '0020-roles': roles,
  '0021-groups': groups,
  '0022-project-access': projectAccess,
  '0023-project-settings': projectSettings,
  '0024-invitations': invitations,
  '0030-change-control': changeControl,
  '0031-change-requests': changeRequests,
  '0036-single-sign-on': singleSignOn,
  '0037-interface-state': interfaceState,
  '0038-proven-addresses': provenAddresses,
  '0040-default-strategies': defaultStrategies,
  '0041-limits-and-approvals': limitsAndApprovals,
  '0042-lifecycle': lifecycle,
  '0043-staleness': staleness,
  '0045-applications': applications,
  '0046-daily-counts': dailyCounts,
  '0047-integrations': integrations,
  '0050-tag-colors': tagColors,
  '0060-actions': actions,
  '0063-feature-leases': featureLeases,
  '0066-action-calls': actionCalls,
  '0071-session-devices': sessionDevices,
  '0086-break-glass': breakGlass,
  '0088-login-delays': loginDelays,
  '0090-sealed-secrets': sealedSecrets,
  '0091-invite-secret-hashes': { move: inviteSecretHashes },
  '0092-event-days': eventDays,
  '0094-event-search': eventSearch,
  '0096-action-runs-by-state': actionRunsByState,
};
