import type { Db, Tx } from '../../storage/tx.ts';

/** Flags that were evaluated since the last write, by environment, and when the last of them was. */
export interface SeenFlags {
  at: number;
  readonly byEnvironment: Map<string, Set<string>>;
}

/** Names of flags by the environment that they were seen in. */
export type FlagsByEnvironment = ReadonlyMap<string, Iterable<string>>;

interface FlagsSeen {
  readonly at: number;
  readonly byEnvironment: FlagsByEnvironment;
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
export async function saveSeenFlags(tx: Tx, { at, byEnvironment }: FlagsSeen): Promise<void> {
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

/** Which of the flags have never been seen in the environment. One statement for each environment and 500 flags. */
export async function neverSeen(
  db: Db,
  byEnvironment: FlagsByEnvironment,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [environment, flags] of byEnvironment) {
    const names = [...flags];
    const unseen: string[] = [];
    for (let i = 0; i < names.length; i += rowsAtOnce) {
      const rows = await db
        .selectFrom('feature_environments')
        .select('feature_name')
        .where('environment', '=', environment)
        .where('feature_name', 'in', names.slice(i, i + rowsAtOnce))
        .where('last_seen_at', 'is', null)
        .orderBy('feature_name')
        .execute();
      unseen.push(...rows.map((row) => row.feature_name));
    }
    if (unseen.length > 0) found.set(environment, unseen);
  }
  return found;
}
