import { presentHold } from '../flags/index.ts';
import type { ListedHold } from './hold.ts';
import type { HeldFlag } from './store.ts';

export function presentListed(hold: ListedHold) {
  const { project, featureName, environment, inForce } = hold;
  return { ...presentHold(hold), project, featureName, environment, inForce };
}

export function presentHeld({ configuredOn, afterRelease, ...hold }: HeldFlag) {
  const next =
    afterRelease === undefined
      ? null
      : { effect: afterRelease.effect, rollout: afterRelease.rollout, name: afterRelease.holder.name };
  return { ...presentListed(hold), configuredOn, afterRelease: next };
}
