import type { Held } from './now-queries.ts';

/** The holds of a flag in an environment, which the Now page lists as one entry. */
export interface HeldGroup {
  /** Identifies the flag and the environment. */
  readonly key: string;
  /** The holds: the one in force first, then the newest. */
  readonly holds: readonly [Held, ...Held[]];
  /** The hold in force; undefined when it is not among the listed holds. */
  readonly inForce: Held | undefined;
  readonly since: string;
  /** The hold that ends last. */
  readonly last: Held;
  /** The names of the actions and people that hold the flag. */
  readonly holders: readonly string[];
  /** The reasons, newest first, each once. */
  readonly reasons: readonly string[];
}

/** Returns a key for the flag and environment of a hold: `production/new-cart`. */
export function placeOf({ featureName, environment }: Pick<Held, 'featureName' | 'environment'>): string {
  return `${environment}/${featureName}`;
}

/** Groups holds by flag and environment, in the order in which the groups first occur. */
export function groupHolds(holds: readonly Held[]): HeldGroup[] {
  return [...Map.groupBy(holds, placeOf)].flatMap(([key, together]) => {
    const newest = together.toSorted((a, b) => Date.parse(b.placedAt) - Date.parse(a.placedAt));
    const [first, ...others] = newest.toSorted((a, b) => Number(b.inForce) - Number(a.inForce));
    return first === undefined ? [] : [groupOf(key, [first, ...others], newest)];
  });
}

function groupOf(key: string, holds: HeldGroup['holds'], newest: readonly Held[]): HeldGroup {
  return {
    key,
    holds,
    inForce: holds[0].inForce ? holds[0] : undefined,
    since: newest.at(-1)?.placedAt ?? holds[0].placedAt,
    last: holds.reduce((last, hold) => (endOf(hold) > endOf(last) ? hold : last)),
    holders: [...new Set(newest.map(({ actionSetName, heldBy }) => actionSetName ?? heldBy.name))],
    reasons: [...new Set(newest.flatMap(({ reason }) => reason ?? []))],
  };
}

/**
 * Returns a number that sorts holds by their end. A hold without an end is last, after holds that are kept beyond their
 * end.
 */
function endOf({ expiresAt, onExpiry }: Held): number {
  if (expiresAt === null) return Number.POSITIVE_INFINITY;
  return onExpiry === 'keep' ? Number.MAX_SAFE_INTEGER : Date.parse(expiresAt);
}

/** Returns the first names of a list: "a, b, c and 7 more". */
export function firstOf(names: readonly string[], most = 3): string {
  const left = names.length - most;
  return left > 0 ? `${names.slice(0, most).join(', ')} and ${left} more` : names.join(', ');
}
