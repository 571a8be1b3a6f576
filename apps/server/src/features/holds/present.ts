import { presentHold } from '../flags/index.ts';
import type { ListedHold } from './hold.ts';

export function presentListed(hold: ListedHold) {
  const { project, featureName, environment, inForce } = hold;
  return { ...presentHold(hold), project, featureName, environment, inForce };
}
