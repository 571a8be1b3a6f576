import { approveMilestone } from './approve-milestone.ts';
import { callUrl } from './call-url.ts';
import { holdFlag, releaseFlag } from './hold-flag.ts';
import type { ActionKind } from './kind.ts';
import { markFlagStale, unmarkFlagStale } from './mark-stale.ts';
import { setRollout } from './set-rollout.ts';
import { setVariantWeight } from './set-variant-weight.ts';
import { addTag, removeTag } from './tag-flag.ts';
import { toggleFlagOff, toggleFlagOn } from './toggle-flag.ts';
import { disableStrategy, enableStrategy } from './toggle-strategy.ts';
import { toggleTaggedOff, toggleTaggedOn } from './toggle-tagged.ts';

/** The action kinds by the names that action sets use. */
const kinds: Readonly<Record<string, ActionKind>> = {
  TOGGLE_FEATURE_ON: toggleFlagOn,
  TOGGLE_FEATURE_OFF: toggleFlagOff,
  TOGGLE_FEATURES_ON_BY_TAG: toggleTaggedOn,
  TOGGLE_FEATURES_OFF_BY_TAG: toggleTaggedOff,
  HOLD_FEATURE: holdFlag,
  RELEASE_FEATURE: releaseFlag,
  SET_ROLLOUT: setRollout,
  ENABLE_STRATEGY: enableStrategy,
  DISABLE_STRATEGY: disableStrategy,
  SET_VARIANT_WEIGHT: setVariantWeight,
  APPROVE_MILESTONE: approveMilestone,
  MARK_STALE: markFlagStale,
  UNMARK_STALE: unmarkFlagStale,
  ADD_TAG: addTag,
  REMOVE_TAG: removeTag,
  CALL_URL: callUrl,
};

export const kindNames: readonly string[] = Object.keys(kinds);

/** Returns whether actions of a kind call other systems, with parameters that may be secret. */
export function isOutboundKind(name: string): boolean {
  return findKind(name)?.outbound !== undefined;
}

export function findKind(name: string): ActionKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

/** Returns the action that ends what an action holds; undefined for an action that holds nothing. */
export function releaseOf<
  A extends { readonly action: string; readonly executionParams: Readonly<Record<string, unknown>> },
>(action: A): A | undefined {
  const release = findKind(action.action)?.release;
  if (release === undefined) return undefined;
  const kept = Object.entries(action.executionParams).filter(([name]) => release.parameters.includes(name));
  return { ...action, action: release.action, executionParams: Object.fromEntries(kept) };
}
