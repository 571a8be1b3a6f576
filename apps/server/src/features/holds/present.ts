import { presentLease } from '../flags/index.ts';
import type { ListedLease } from './hold.ts';

export function presentListed(lease: ListedLease) {
  const { project, featureName, environment, inForce } = lease;
  return { ...presentLease(lease), project, featureName, environment, inForce };
}
