import { murmur3 } from './murmur3.ts';

const variantSeed = 86028157;

/** Where an id falls among the hundred parts of a rollout: 1 to 100, always the same (unleash-facts 9.3). */
export function rolloutPlace(id: string, groupId: string): number {
  return (murmur3(`${groupId}:${id}`, 0) % 100) + 1;
}

/** Where an id falls among the weights of variants: 1 to `total`, always the same (unleash-facts 9.3). */
export function variantPlace(id: string, groupId: string, total: number): number {
  return (murmur3(`${groupId}:${id}`, variantSeed) % total) + 1;
}
