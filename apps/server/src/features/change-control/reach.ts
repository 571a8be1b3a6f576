import type { EventType } from '@yardarm/contract';
import type { NewEvent } from '../../storage/tx.ts';

/** Events by which somebody sees that a flag, what it uses, or where it can be on has changed. */
type FlagEvent = Extract<
  EventType,
  `feature-${string}` | `strategy-${string}` | `segment-${string}` | `project-environment-${string}`
>;

/**
 * How far a change reaches that an event tells of: what SDKs get in the environment of the event, in every environment
 * of its project, or nowhere. Those that reach something are what change requests are for (docs/spec#change-requests).
 * Does not compile while an event is missing.
 */
const reach: Readonly<Record<FlagEvent, 'environment' | 'project' | 'nothing'>> = {
  'feature-environment-enabled': 'environment',
  'feature-environment-disabled': 'environment',
  'feature-environment-variants-updated': 'environment',
  // Unless it only holds off, see below.
  'feature-lease-placed': 'environment',
  'feature-lease-updated': 'environment',
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
  // What was configured is back, and that was reviewed.
  'feature-lease-released': 'nothing',
  'feature-lease-expired': 'nothing',
  // Something else, that is told of too, has changed it.
  'feature-effective-state-changed': 'nothing',
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

/**
 * How far the change reaches that an event tells of. To hold a flag off is what is done in an emergency, and takes away
 * what was reviewed without giving anybody anything new, unless another flag is on while it is off: it needs no review (ADR 19).
 */
export function reachOf({ type, data }: Pick<NewEvent, 'type' | 'data'>): 'environment' | 'project' | 'nothing' {
  if (holdsOff({ type, data })) return 'nothing';
  return (reach as Partial<Record<EventType, 'environment' | 'project' | 'nothing'>>)[type] ?? 'nothing';
}

/** Whether an event tells of a flag that is held off. */
export function holdsOff({ type, data }: Pick<NewEvent, 'type' | 'data'>): boolean {
  return /^feature-lease-/.test(type) && (data as { readonly effect?: unknown } | undefined)?.effect === 'off';
}
