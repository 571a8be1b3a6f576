import { murmur3After } from './murmur3.ts';

const variantSeed = 86028157;

/**
 * Where ids fall among the hundred parts of a rollout: 1 to 100, always the same for a group (docs/spec#rollout-hash).
 */
export function rolloutBucket(groupId: string): (id: string) => number {
  const hash = murmur3After(`${groupId}:`, 0);
  return (id) => (hash(id) % 100) + 1;
}

/** Where ids fall among the weights of variants: 1 to `total`, always the same for a group (docs/spec#rollout-hash). */
export function variantBucket(groupId: string, total: number): (id: string) => number {
  const hash = murmur3After(`${groupId}:`, variantSeed);
  return (id) => (hash(id) % total) + 1;
}
