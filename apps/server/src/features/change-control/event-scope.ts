import type { EventType } from '@yardarm/contract';
import type { NewEvent } from '../../storage/tx.ts';

/** Events about flags, strategies, segments and the environments of projects. */
type FlagEvent = Extract<
  EventType,
  `feature-${string}` | `strategy-${string}` | `segment-${string}` | `project-environment-${string}`
>;

/**
 * Which SDK answers an event changes: those of its environment, of every environment of its project, or none. Events
 * with a scope other than "none" require review (docs/spec#change-requests). Does not compile while an event type is
 * missing.
 */
const scopes: Readonly<Record<FlagEvent, 'environment' | 'project' | 'none'>> = {
  'feature-environment-enabled': 'environment',
  'feature-environment-disabled': 'environment',
  'feature-environment-variants-updated': 'environment',
  // Except holding a flag off, see eventScope.
  'feature-lease-placed': 'environment',
  'feature-lease-updated': 'environment',
  'feature-strategy-add': 'environment',
  'feature-strategy-update': 'environment',
  'feature-strategy-remove': 'environment',
  'strategy-order-changed': 'environment',
  // Its flags turn off there.
  'project-environment-removed': 'environment',
  'project-environment-added': 'none',
  'feature-archived': 'project',
  'feature-dependency-added': 'project',
  'feature-dependency-removed': 'project',
  'feature-dependencies-removed': 'project',
  // Prevents moving the flag to a project without review, changing it there and moving it back.
  'feature-project-change': 'project',
  'segment-updated': 'project',
  'segment-deleted': 'project',
  // Restores the configured state, which was reviewed.
  'feature-lease-released': 'none',
  'feature-lease-expired': 'none',
  // Follows from another event that has its own scope.
  'feature-effective-state-changed': 'none',
  // The flag is off in all environments.
  'feature-created': 'none',
  'feature-revived': 'none',
  // Only archived flags can be deleted.
  'feature-deleted': 'none',
  'feature-potentially-stale-on': 'none',
  'feature-completed': 'none',
  'feature-uncompleted': 'none',
  'feature-metadata-updated': 'none',
  'feature-stale-on': 'none',
  'feature-stale-off': 'none',
  'feature-link-added': 'none',
  'feature-link-updated': 'none',
  'feature-link-removed': 'none',
  'feature-favorited': 'none',
  'feature-unfavorited': 'none',
  'feature-type-updated': 'none',
  'feature-tagged': 'none',
  'feature-untagged': 'none',
  // No strategy uses the segment yet.
  'segment-created': 'none',
  // Strategy types do not decide who gets a flag.
  'strategy-created': 'none',
  'strategy-updated': 'none',
  'strategy-deleted': 'none',
  'strategy-deprecated': 'none',
  'strategy-reactivated': 'none',
};

/**
 * Returns the scope of an event. Holding a flag off needs no review (ADR 19): it is an emergency measure that only
 * disables reviewed behaviour. The guard handles the exception, a flag that another flag requires to be off.
 */
export function eventScope({ type, data }: Pick<NewEvent, 'type' | 'data'>): 'environment' | 'project' | 'none' {
  if (isHoldOff({ type, data })) return 'none';
  return (scopes as Partial<Record<EventType, 'environment' | 'project' | 'none'>>)[type] ?? 'none';
}

/** Returns whether an event holds a flag off. */
export function isHoldOff({ type, data }: Pick<NewEvent, 'type' | 'data'>): boolean {
  return /^feature-lease-/.test(type) && (data as { readonly effect?: unknown } | undefined)?.effect === 'off';
}
