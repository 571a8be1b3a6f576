import { type EventType, eventTypes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { type Part, reviewScopeOf, type SdkChange, sdkChangeOf, touches } from './effects.ts';

const accountChanges = ['user', 'service-account'].flatMap((kind) => [`${kind}-updated`, `${kind}-deleted`]);
const membershipChanges = [
  'project-access-added',
  'project-access-updated',
  ...['user', 'group'].flatMap((kind) => ['updated', 'deleted'].map((verb) => `project-access-${kind}-roles-${verb}`)),
  'role-updated',
  'role-deleted',
  ...['created', 'updated', 'deleted', 'user-added', 'user-removed'].map((verb) => `group-${verb}`),
];

/** The events that each part of the server waits for: a missing event leaves a cache or a state out of date. */
const eventsOfParts: Readonly<Record<Part, readonly string[]>> = {
  'access-rights': [
    ...accountChanges,
    ...membershipChanges,
    // These events change who may access a project, or delete the permissions in an environment.
    'project-created',
    'project-updated',
    'project-deleted',
    'environment-deleted',
  ],
  'personal-tokens': [...accountChanges, 'pat-deleted', 'service-account-token-deleted'],
  sessions: ['user-logged-in', 'user-logged-out', 'session-ended'],
  'api-tokens': ['api-token-created', 'api-token-updated', 'api-token-deleted'],
  'signal-endpoints': [
    ...['created', 'updated', 'deleted', 'tested'].map((verb) => `signal-endpoint-${verb}`),
    ...['created', 'updated', 'deleted'].map((verb) => `signal-endpoint-token-${verb}`),
  ],
  'action-sets': ['actions-created', 'actions-updated', 'actions-deleted', 'project-deleted'],
  integrations: ['addon-config-created', 'addon-config-updated', 'addon-config-deleted'],
  'change-reason-rules': ['project-updated', 'project-deleted'],
  settings: ['setting-created', 'setting-updated'],
  environments: ['environment-created', 'environment-updated', 'environment-deleted'],
  stages: ['feature-created', 'feature-revived', 'feature-deleted', 'feature-uncompleted'],
  holds: ['placed', 'updated', 'stepped-down', 'released', 'expired'].map((verb) => `feature-lease-${verb}`),
  'automation-stops': [
    ...['placed', 'updated', 'ended'].map((verb) => `feature-override-${verb}`),
    ...['setting-created', 'setting-updated'],
  ],
  'scheduler-permissions': [...accountChanges, ...membershipChanges, 'project-updated', 'api-token-deleted'],
  'approval-rules': [
    'project-environment-added',
    'project-environment-removed',
    'change-request-configuration-updated',
  ],
  'drafts-of-account': ['user-deleted', 'service-account-deleted'],
  'requests-of-environment': ['project-environment-removed'],
};

/** The events that change SDK answers. Other events change none. */
const eventsOfSdkChanges: Readonly<Record<Exclude<SdkChange, 'none'>, readonly EventType[]>> = {
  flag: [
    'feature-metadata-updated',
    'feature-stale-on',
    'feature-stale-off',
    'feature-environment-enabled',
    'feature-environment-disabled',
    'feature-environment-variants-updated',
    'feature-dependency-added',
    'feature-dependency-removed',
    'feature-dependencies-removed',
  ],
  'flag and segments': [
    'feature-created',
    'feature-archived',
    'feature-revived',
    'feature-deleted',
    'feature-completed',
    'feature-uncompleted',
    'feature-potentially-stale-on',
    'feature-effective-state-changed',
    'feature-project-change',
    'feature-strategy-add',
    'feature-strategy-update',
    'feature-strategy-remove',
    'strategy-order-changed',
    'release-plan-updated',
    'release-plan-removed',
    'release-plan-milestone-started',
    'feature-tagged',
    'feature-untagged',
  ],
  'many flags': [
    'features-imported',
    'project-deleted',
    'project-environment-added',
    'project-environment-removed',
    'environment-created',
    'environment-deleted',
    'segment-updated',
  ],
  'segment removed': ['segment-deleted'],
};

/** The events whose change is reviewed. Other changes need no review. */
const reviewedEvents = {
  environment: [
    'feature-environment-enabled',
    'feature-environment-disabled',
    'feature-lease-placed',
    'feature-lease-updated',
    'feature-environment-variants-updated',
    'feature-strategy-add',
    'feature-strategy-update',
    'feature-strategy-remove',
    'strategy-order-changed',
    'release-plan-updated',
    'release-plan-removed',
    'release-plan-milestone-started',
    'release-plan-milestone-approved',
    'milestone-progression-created',
    'milestone-progression-updated',
    'milestone-progression-deleted',
    'safeguard-changed',
    'safeguard-deleted',
    'project-environment-removed',
  ],
  project: [
    'feature-archived',
    'feature-project-change',
    'feature-dependency-added',
    'feature-dependency-removed',
    'feature-dependencies-removed',
    'segment-updated',
    'segment-deleted',
  ],
} as const;

describe('the effects of an event', () => {
  it.each(Object.entries(eventsOfParts))('concern %s for exactly these events', (part, types) => {
    expect(eventTypes.filter((type) => touches({ type }, part as Part)).toSorted()).toEqual(types.toSorted());
  });

  it.each(Object.entries(eventsOfSdkChanges))('change SDK answers of kind "%s" for exactly these', (change, types) => {
    expect(eventTypes.filter((type) => sdkChangeOf(type) === change).toSorted()).toEqual(types.toSorted());
  });

  it.each(Object.entries(reviewedEvents))('are reviewed per %s for exactly these events', (scope, types) => {
    expect(eventTypes.filter((type) => reviewScopeOf(type) === scope).toSorted()).toEqual(types.toSorted());
  });

  it.each(eventTypes)('%s is reviewed only if SDKs may see the change', (type) => {
    // The effect of a hold on SDKs is in another event; a gate or a safeguard has its effect later.
    const comesLater = /^(milestone-progression-|release-plan-milestone-approved$|safeguard-(changed|deleted)$)/.test(
      type,
    );
    const isSeen = sdkChangeOf(type) !== 'none' || touches({ type }, 'holds') || comesLater;
    if (!isSeen) expect(reviewScopeOf(type)).toBe('none');
  });

  it('of a type that only a newer version knows may concern any cache, and the flag with its segments', () => {
    expect(touches({ type: 'flag-invented' }, 'access-rights')).toBe(true);
    expect(touches({ type: 'constructor' }, 'settings')).toBe(true);
    expect(sdkChangeOf('flag-invented')).toBe('flag and segments');
  });
});
