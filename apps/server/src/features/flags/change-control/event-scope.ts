import type { holdEffects } from '@yardarm/contract';
import { type ReviewScope, reviewScopeOf, touches } from '#features/platform/event-effects/index.ts';
import type { NewEvent } from '#storage/tx.ts';

/**
 * Returns which SDK answers an event changes: those of its environment, of every environment of its project, or none.
 * Events with a scope other than "none" require review (docs/spec#change-requests). Holding a flag off needs no review
 * (ADR 19): it is an emergency measure that only disables reviewed behaviour. The guard handles the exception, a flag
 * that another flag requires to be off. Holding it at an earlier milestone of its release plan needs none either: the
 * milestone was approved with the plan.
 */
export function eventScope(event: Pick<NewEvent, 'type' | 'data'>): ReviewScope {
  return isHoldWith('off', event) || isHoldWith('milestone', event) ? 'none' : reviewScopeOf(event.type);
}

/** Returns whether an event holds a flag off. */
export function isHoldOff(event: Pick<NewEvent, 'type' | 'data'>): boolean {
  return isHoldWith('off', event);
}

function isHoldWith(effect: (typeof holdEffects)[number], { type, data }: Pick<NewEvent, 'type' | 'data'>): boolean {
  return touches({ type }, 'holds') && (data as { readonly effect?: unknown } | undefined)?.effect === effect;
}
