import type { EventType } from '@yardarm/contract';

/**
 * The SDK answers that an event changes. `flag`: those of the flag that it names, which keeps its segments. `many
 * flags`: those of flags that it does not name. `segment removed`: deltas only, because no flag uses the segment.
 */
export type SdkChange = 'none' | 'flag' | 'flag and segments' | 'many flags' | 'segment removed';

/**
 * Where a change that records the event requires review (docs/spec#change-requests): in the environment of the event,
 * in all environments of its project, or nowhere.
 */
export type ReviewScope = 'environment' | 'project' | 'none';

/** A part of the server that an event invalidates or updates, apart from SDK answers. */
export type Part =
  /** The cached access rights of accounts. */
  | 'access-rights'
  /** The cached personal tokens and their owners. */
  | 'personal-tokens'
  /** The sessions of users: some have ended. */
  | 'sessions'
  | 'api-tokens'
  /** The cached signal endpoints and their tokens. */
  | 'signal-endpoints'
  /** The cached endpoints that have enabled action sets. */
  | 'action-sets'
  | 'integrations'
  /** The cached rules of projects for the reasons of changes. */
  | 'change-reason-rules'
  | 'settings'
  | 'environments'
  /** The lifecycle stage of the flag, which has to be stored again. */
  | 'stages'
  /** The holds of flags. The effect of a hold on its flag is in feature-effective-state-changed. */
  | 'holds'
  /** The stops of automation: freeze, maintenance, overrides. */
  | 'automation-stops'
  /** The permissions of accounts and tokens that scheduled change requests: some may be lost. */
  | 'scheduler-permissions'
  /** The number of approvals that change requests need. */
  | 'approval-rules'
  /** The drafts of change requests of an account, which is deleted. */
  | 'drafts-of-account'
  /** The open change requests of an environment that its project no longer has. */
  | 'requests-of-environment';

interface Effects {
  readonly sdk: SdkChange;
  readonly review: ReviewScope;
  readonly touches: readonly Part[];
}

function only(...touches: Part[]): Effects {
  return { sdk: 'none', review: 'none', touches };
}

const nothing = only();

/** The effects of each event type. A new event type does not compile without a row here. */
const effects: Readonly<Record<EventType, Effects>> = {
  // Not reviewed: the flag is off in all environments.
  'feature-created': { sdk: 'flag and segments', review: 'none', touches: ['stages'] },
  'feature-metadata-updated': { sdk: 'flag', review: 'none', touches: [] },
  'feature-archived': { sdk: 'flag and segments', review: 'project', touches: [] },
  // Not reviewed: the flag is off in all environments.
  'feature-revived': { sdk: 'flag and segments', review: 'none', touches: ['stages'] },
  // Not reviewed: only archived flags can be deleted.
  'feature-deleted': { sdk: 'flag and segments', review: 'none', touches: ['stages'] },
  'feature-stale-on': { sdk: 'flag', review: 'none', touches: [] },
  'feature-stale-off': { sdk: 'flag', review: 'none', touches: [] },
  'feature-completed': { sdk: 'flag and segments', review: 'none', touches: [] },
  'feature-uncompleted': { sdk: 'flag and segments', review: 'none', touches: ['stages'] },
  'feature-potentially-stale-on': { sdk: 'flag and segments', review: 'none', touches: [] },
  'feature-environment-enabled': { sdk: 'flag', review: 'environment', touches: [] },
  'feature-environment-disabled': { sdk: 'flag', review: 'environment', touches: [] },
  // Reviewed, except for holding a flag off. The effect on the flag is in feature-effective-state-changed.
  'feature-lease-placed': { sdk: 'none', review: 'environment', touches: ['holds'] },
  'feature-lease-updated': { sdk: 'none', review: 'environment', touches: ['holds'] },
  // Not reviewed: serves an earlier milestone, which was reviewed, or nothing.
  'feature-lease-stepped-down': only('holds'),
  // Not reviewed: restores the configured state, which was reviewed.
  'feature-lease-released': only('holds'),
  'feature-lease-expired': only('holds'),
  'feature-lease-expiring': nothing,
  // Not reviewed: automation stays off, and the configured state is served.
  'feature-override-placed': only('automation-stops'),
  'feature-override-updated': only('automation-stops'),
  'feature-override-ended': only('automation-stops'),
  'feature-override-outlasted': nothing,
  // Not reviewed: follows from another event, which has its own scope.
  'feature-effective-state-changed': { sdk: 'flag and segments', review: 'none', touches: [] },
  // Not reviewed: the plan also starts a milestone, whose event is reviewed.
  'release-plan-added': nothing,
  'release-plan-updated': { sdk: 'flag and segments', review: 'environment', touches: [] },
  'release-plan-removed': { sdk: 'flag and segments', review: 'environment', touches: [] },
  'release-plan-milestone-started': { sdk: 'flag and segments', review: 'environment', touches: [] },
  // Reviewed like the start of a milestone, because the approval can start the next one.
  'release-plan-milestone-approved': { sdk: 'none', review: 'environment', touches: [] },
  // Not reviewed: the active milestone stays the same.
  'release-plan-progressions-paused': nothing,
  'release-plan-progressions-resumed': nothing,
  'release-plan-waiting': nothing,
  'milestone-progression-created': { sdk: 'none', review: 'environment', touches: [] },
  'milestone-progression-updated': { sdk: 'none', review: 'environment', touches: [] },
  'milestone-progression-deleted': { sdk: 'none', review: 'environment', touches: [] },
  'safeguard-changed': { sdk: 'none', review: 'environment', touches: [] },
  'safeguard-deleted': { sdk: 'none', review: 'environment', touches: [] },
  // No effects: the pause of the plan or the switch of the flag has an event of its own.
  'safeguard-triggered': nothing,
  'safeguard-no-data': nothing,
  'safeguard-no-data-ended': nothing,
  'impact-metric-created': nothing,
  'impact-metric-updated': nothing,
  'impact-metric-deleted': nothing,
  // Not reviewed: plans are copies of templates, so a change of a template does not affect them.
  'release-plan-template-created': nothing,
  'release-plan-template-updated': nothing,
  'release-plan-template-deleted': nothing,
  'release-plan-template-archived': nothing,
  'release-plan-template-revived': nothing,
  'feature-environment-variants-updated': { sdk: 'flag', review: 'environment', touches: [] },
  // Reviewed: prevents moving the flag to a project without review, changing it there and moving it back.
  'feature-project-change': { sdk: 'flag and segments', review: 'project', touches: [] },
  'feature-strategy-add': { sdk: 'flag and segments', review: 'environment', touches: [] },
  'feature-strategy-update': { sdk: 'flag and segments', review: 'environment', touches: [] },
  'feature-strategy-remove': { sdk: 'flag and segments', review: 'environment', touches: [] },
  'strategy-order-changed': { sdk: 'flag and segments', review: 'environment', touches: [] },
  'feature-dependency-added': { sdk: 'flag', review: 'project', touches: [] },
  'feature-dependency-removed': { sdk: 'flag', review: 'project', touches: [] },
  'feature-dependencies-removed': { sdk: 'flag', review: 'project', touches: [] },
  'feature-link-added': nothing,
  'feature-link-updated': nothing,
  'feature-link-removed': nothing,
  'feature-favorited': nothing,
  'feature-unfavorited': nothing,
  'feature-type-updated': nothing,
  'features-exported': nothing,
  'features-imported': { sdk: 'many flags', review: 'none', touches: [] },
  'feature-tagged': { sdk: 'flag and segments', review: 'none', touches: [] },
  'feature-untagged': { sdk: 'flag and segments', review: 'none', touches: [] },
  // Not reviewed: strategy types do not decide who gets a flag.
  'strategy-created': nothing,
  'strategy-updated': nothing,
  'strategy-deleted': nothing,
  'strategy-deprecated': nothing,
  'strategy-reactivated': nothing,
  'tag-created': nothing,
  'tag-deleted': nothing,
  'tag-type-created': nothing,
  'tag-type-updated': nothing,
  'tag-type-deleted': nothing,
  'project-created': only('access-rights'),
  'project-updated': only('access-rights', 'scheduler-permissions', 'change-reason-rules'),
  'project-deleted': {
    sdk: 'many flags',
    review: 'none',
    touches: ['access-rights', 'action-sets', 'change-reason-rules'],
  },
  'project-archived': nothing,
  'project-revived': nothing,
  'project-favorited': nothing,
  'project-unfavorited': nothing,
  'project-environment-added': { sdk: 'many flags', review: 'none', touches: ['approval-rules'] },
  // Reviewed: the flags of the project turn off in the environment.
  'project-environment-removed': {
    sdk: 'many flags',
    review: 'environment',
    touches: ['requests-of-environment', 'approval-rules'],
  },
  'default-strategy-updated': nothing,
  'project-access-added': only('access-rights', 'scheduler-permissions'),
  'project-access-updated': only('access-rights', 'scheduler-permissions'),
  'project-access-user-roles-updated': only('access-rights', 'scheduler-permissions'),
  'project-access-user-roles-deleted': only('access-rights', 'scheduler-permissions'),
  'project-access-group-roles-updated': only('access-rights', 'scheduler-permissions'),
  'project-access-group-roles-deleted': only('access-rights', 'scheduler-permissions'),
  'environment-created': { sdk: 'many flags', review: 'none', touches: ['environments'] },
  'environment-updated': only('environments'),
  'environment-deleted': { sdk: 'many flags', review: 'none', touches: ['access-rights', 'environments'] },
  // Not reviewed: no strategy uses the segment yet.
  'segment-created': nothing,
  'segment-updated': { sdk: 'many flags', review: 'project', touches: [] },
  'segment-deleted': { sdk: 'segment removed', review: 'project', touches: [] },
  'context-field-created': nothing,
  'context-field-updated': nothing,
  'context-field-deleted': nothing,
  'role-created': nothing,
  'role-updated': only('access-rights', 'scheduler-permissions'),
  'role-deleted': only('access-rights', 'scheduler-permissions'),
  'group-created': only('access-rights', 'scheduler-permissions'),
  'group-updated': only('access-rights', 'scheduler-permissions'),
  'group-deleted': only('access-rights', 'scheduler-permissions'),
  'group-user-added': only('access-rights', 'scheduler-permissions'),
  'group-user-removed': only('access-rights', 'scheduler-permissions'),
  'user-created': nothing,
  'user-updated': only('access-rights', 'scheduler-permissions', 'personal-tokens'),
  'user-deleted': only('access-rights', 'scheduler-permissions', 'drafts-of-account', 'personal-tokens'),
  'user-logged-in': only('sessions'),
  'user-logged-out': only('sessions'),
  'session-ended': only('sessions'),
  'login-failed': nothing,
  'change-refused': nothing,
  'server-started': nothing,
  'backup-made': nothing,
  'database-restored': nothing,
  // No effects: the change feed resets all caches.
  'log-went-back': nothing,
  'events-exported': nothing,
  'public-signup-token-created': nothing,
  'public-signup-token-updated': nothing,
  'public-signup-token-user-added': nothing,
  'api-token-created': only('api-tokens'),
  'api-token-updated': only('api-tokens'),
  'api-token-deleted': only('scheduler-permissions', 'api-tokens'),
  'pat-created': nothing,
  'pat-deleted': only('personal-tokens'),
  'service-account-created': nothing,
  'service-account-updated': only('access-rights', 'scheduler-permissions', 'personal-tokens'),
  'service-account-deleted': only('access-rights', 'scheduler-permissions', 'drafts-of-account', 'personal-tokens'),
  'service-account-token-created': nothing,
  'service-account-token-deleted': only('personal-tokens'),
  'change-request-created': nothing,
  'change-request-discarded': nothing,
  'change-request-sent-to-review': nothing,
  'change-request-approval-added': nothing,
  'change-request-approved': nothing,
  'change-request-rejected': nothing,
  'change-request-cancelled': nothing,
  'change-request-applied': nothing,
  'change-request-scheduled': nothing,
  'change-request-schedule-suspended': nothing,
  'change-request-scheduled-application-success': nothing,
  'change-request-scheduled-application-failure': nothing,
  'change-request-requested-approvers-updated': nothing,
  'change-request-commented': nothing,
  'change-request-title-updated': nothing,
  'change-added': nothing,
  'change-discarded': nothing,
  'change-edited': nothing,
  'change-request-configuration-updated': only('approval-rules'),
  'break-glass-used': nothing,
  'break-glass-acknowledged': nothing,
  'signal-endpoint-created': only('signal-endpoints'),
  'signal-endpoint-updated': only('signal-endpoints'),
  'signal-endpoint-deleted': only('signal-endpoints'),
  'signal-endpoint-tested': only('signal-endpoints'),
  'signal-endpoint-token-created': only('signal-endpoints'),
  'signal-endpoint-token-updated': only('signal-endpoints'),
  'signal-endpoint-token-deleted': only('signal-endpoints'),
  'signal-endpoint-silent': nothing,
  'signal-endpoint-heard': nothing,
  'signals-refused': nothing,
  'signal-subscription-confirmed': nothing,
  'signal-subscription-ended': nothing,
  'actions-created': only('action-sets'),
  'actions-updated': only('action-sets'),
  'actions-deleted': only('action-sets'),
  'action-calls-redelivered': nothing,
  'action-run-failed': nothing,
  'action-run-stopped': nothing,
  'action-call-given-up': nothing,
  'action-set-blocked': nothing,
  'action-set-unblocked': nothing,
  // No effects: the change of the setting has an event of its own.
  'automation-frozen': nothing,
  'automation-resumed': nothing,
  'automation-acknowledged': nothing,
  'automation-acknowledgement-withdrawn': nothing,
  'automation-unacknowledged': nothing,
  'alerts-without-effect': nothing,
  'alerts-without-effect-ended': nothing,
  'action-run-approved': nothing,
  'action-run-dropped': nothing,
  // Freeze and maintenance are settings.
  'incident-note-added': nothing,
  'incident-note-deleted': nothing,
  'setting-created': only('settings', 'automation-stops'),
  'setting-updated': only('settings', 'automation-stops'),
  'banner-created': nothing,
  'banner-updated': nothing,
  'banner-deleted': nothing,
  'addon-config-created': only('integrations'),
  'addon-config-updated': only('integrations'),
  'addon-config-deleted': only('integrations'),
  'integration-paused': nothing,
  'integration-refuses-events': nothing,
  'integration-resumed': nothing,
  'integration-tested': nothing,
  'integration-redelivered': nothing,
  'integration-key-rotated': nothing,
  'application-created': nothing,
  'streams-ended': nothing,
  'event-consumer-created': nothing,
  'event-consumer-updated': nothing,
  'event-consumer-deleted': nothing,
  'application-updated': nothing,
  'application-deleted': nothing,
};

const byType: ReadonlyMap<string, Effects> = new Map(Object.entries(effects));

/**
 * The assumed change of an event of unknown type. A process of a newer version that shares the database recorded it.
 */
const unknownSdkChange: SdkChange = 'flag and segments';

/** Returns the SDK answers that an event of a type changes. */
export function sdkChangeOf(type: string): SdkChange {
  return byType.get(type)?.sdk ?? unknownSdkChange;
}

/** Returns where a change that records an event of a type requires review. */
export function reviewScopeOf(type: EventType): ReviewScope {
  return effects[type].review;
}

/** Returns whether an event touches a part. An event of an unknown type may touch any part. */
export function touches({ type }: { readonly type: string }, part: Part): boolean {
  return byType.get(type)?.touches.includes(part) ?? true;
}
