import { presentHold } from '#features/flags/held-state/index.ts';
import type { Identity } from '#kernel/caller.ts';
import type { ListedHold } from './hold.ts';
import type { HeldFlag } from './store.ts';

/** Returns a hold for a list, with the name of its set of actions for callers who may read actions. */
export function presentListed(hold: ListedHold, { can }: Pick<Identity, 'can'>) {
  const { project, featureName, environment, inForce } = hold;
  const actionSetName = can('READ_ACTIONS', { project }) ? hold.actionSetName : null;
  return { ...presentHold(hold), actionSetName, project, featureName, environment, inForce };
}

/** Returns {@link presentListed} with what the end of the hold would change. */
export function presentHeld({ configuredOn, afterRelease, ...hold }: HeldFlag, caller: Pick<Identity, 'can'>) {
  const next =
    afterRelease === undefined
      ? null
      : { effect: afterRelease.effect, rollout: afterRelease.rollout, name: afterRelease.holder.name };
  return { ...presentListed(hold, caller), configuredOn, afterRelease: next };
}
