import type { EventType } from '@yardarm/contract';

/** Events by which somebody sees that a flag, what it uses, or where it can be on has changed. */
type FlagEvent = Extract<
  EventType,
  `feature-${string}` | `strategy-${string}` | `segment-${string}` | `project-environment-${string}`
>;

/**
 * How far a change reaches that an event tells of: what SDKs get in the environment of the event, in every environment
 * of its project, or nowhere. Those that reach something are what change requests are for (unleash-facts 6.3). Does not
 * compile while an event is missing.
 */
const reach: Readonly<Record<FlagEvent, 'environment' | 'project' | 'nothing'>> = {
  'feature-environment-enabled': 'environment',
  'feature-environment-disabled': 'environment',
  'feature-environment-variants-updated': 'environment',
  'feature-strategy-add': 'environment',
  'feature-strategy-update': 'environment',
  'feature-strategy-remove': 'environment',
  'strategy-order-changed': 'environment',
  // Its flags are off there.
  'project-environment-removed': 'environment',
  'project-environment-added': 'nothing',
  'feature-archived': 'project',
  'feature-dependency-added': 'project',
  'feature-dependency-removed': 'project',
  'feature-dependencies-removed': 'project',
  // In another project the flag could be changed without review, and brought back.
  'feature-project-change': 'project',
  'segment-updated': 'project',
  'segment-deleted': 'project',
  // It is off everywhere.
  'feature-created': 'nothing',
  'feature-revived': 'nothing',
  // It is archived.
  'feature-deleted': 'nothing',
  'feature-potentially-stale-on': 'nothing',
  'feature-completed': 'nothing',
  'feature-uncompleted': 'nothing',
  'feature-metadata-updated': 'nothing',
  'feature-stale-on': 'nothing',
  'feature-stale-off': 'nothing',
  'feature-link-added': 'nothing',
  'feature-link-updated': 'nothing',
  'feature-link-removed': 'nothing',
  'feature-favorited': 'nothing',
  'feature-unfavorited': 'nothing',
  'feature-type-updated': 'nothing',
  'feature-tagged': 'nothing',
  'feature-untagged': 'nothing',
  // Nothing uses it yet.
  'segment-created': 'nothing',
  // Custom strategies themselves say nothing of who gets a flag.
  'strategy-created': 'nothing',
  'strategy-updated': 'nothing',
  'strategy-deleted': 'nothing',
  'strategy-deprecated': 'nothing',
  'strategy-reactivated': 'nothing',
};

/** How far the change reaches that an event of this type tells of. */
export function reachOf(type: EventType): 'environment' | 'project' | 'nothing' {
  return (reach as Partial<Record<EventType, 'environment' | 'project' | 'nothing'>>)[type] ?? 'nothing';
}
