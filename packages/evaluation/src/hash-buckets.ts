import { murmur3After } from './murmur3.ts';

const variantSeed = 86028157;

/** Returns a function from an id to its rollout bucket, 1 to 100, constant for a group (docs/spec#rollout-hash). */
export function rolloutBucket(groupId: string): (id: string) => number {
  const hash = murmur3After(`${groupId}:`, 0);
  return (id) => (hash(id) % 100) + 1;
}

/**
 * Returns a function from an id to its variant bucket, 1 to `total`, which is constant for a group
 * (docs/spec#rollout-hash).
 */
export function variantBucket(groupId: string, total: number): (id: string) => number {
  const hash = murmur3After(`${groupId}:`, variantSeed);
  return (id) => (hash(id) % total) + 1;
}
