import type { Tx } from '../../storage/tx.ts';

/** Flags that were evaluated since the last write, by environment, and when the last of them was. */
export interface SeenFlags {
  at: number;
  readonly byEnvironment: Map<string, Set<string>>;
}

export function noFlags(): SeenFlags {
  return { at: 0, byEnvironment: new Map() };
}

/** Adds flags that were seen in an environment; more than `max` there wait for the next time. */
export function noteFlags(
  seen: SeenFlags,
  environment: string,
  names: Iterable<string>,
  at: number,
  max: number,
): void {
  const there = seen.byEnvironment.get(environment) ?? new Set();
  seen.byEnvironment.set(environment, there);
  for (const name of names) if (there.size < max) there.add(name);
  seen.at = Math.max(seen.at, at);
}

const rowsAtOnce = 500;

/** Sets when flags were last seen, in all and in the environment. A later time that is there already stays. */
export async function saveSeenFlags(tx: Tx, { at, byEnvironment }: SeenFlags): Promise<void> {
  for (const [environment, names] of byEnvironment) {
    const sorted = [...names].toSorted();
    for (let i = 0; i < sorted.length; i += rowsAtOnce) {
      const some = sorted.slice(i, i + rowsAtOnce);
      await tx.db
        .updateTable('features')
        .set({ last_seen_at: at })
        .where('name', 'in', some)
        .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', at)]))
        .execute();
      await tx.db
        .updateTable('feature_environments')
        .set({ last_seen_at: at })
        .where('environment', '=', environment)
        .where('feature_name', 'in', some)
        .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', at)]))
        .execute();
    }
  }
}

/**
 * Sets when flags were seen for the first time, in all and in the environment; those that were before are left as they
 * are. Answers the flags that were new in each environment.
 */
export async function saveFirstSeen(
  tx: Tx,
  byEnvironment: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const fresh = new Map<string, readonly string[]>();
  const now = { last_seen_at: tx.now };
  for (const [environment, names] of byEnvironment) {
    const sorted = [...names].toSorted();
    const found: string[] = [];
    for (let i = 0; i < sorted.length; i += rowsAtOnce) {
      const some = sorted.slice(i, i + rowsAtOnce);
      await tx.db
        .updateTable('features')
        .set(now)
        .where('name', 'in', some)
        .where('last_seen_at', 'is', null)
        .execute();
      const rows = await tx.db
        .updateTable('feature_environments')
        .set(now)
        .where('environment', '=', environment)
        .where('feature_name', 'in', some)
        .where('last_seen_at', 'is', null)
        .returning('feature_name')
        .execute();
      found.push(...rows.map((row) => row.feature_name));
    }
    if (found.length > 0) fresh.set(environment, found);
  }
  return fresh;
}
