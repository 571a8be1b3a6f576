import type { Db, Tx } from '../../storage/tx.ts';

/** Flags evaluated since the last write, by environment, and the time of the last evaluation. */
export interface SeenFlags {
  at: number;
  readonly byEnvironment: Map<string, Set<string>>;
}

/** Names of flags by environment. */
export type FlagsByEnvironment = ReadonlyMap<string, Iterable<string>>;

interface FlagsSeen {
  readonly at: number;
  readonly byEnvironment: FlagsByEnvironment;
}

export function noFlags(): SeenFlags {
  return { at: 0, byEnvironment: new Map() };
}

/**
 * Adds flags that were seen in an environment, up to `max` per environment; further flags are skipped until they are
 * seen again.
 */
export function addSeenFlags(
  seen: SeenFlags,
  environment: string,
  names: Iterable<string>,
  at: number,
  max: number,
): void {
  const known = seen.byEnvironment.get(environment) ?? new Set();
  seen.byEnvironment.set(environment, known);
  for (const name of names) if (known.size < max) known.add(name);
  seen.at = Math.max(seen.at, at);
}

const rowsPerStatement = 500;

/** Updates the last-seen times of flags, in total and in the environment. A later stored time stays. */
export async function saveSeenFlags(tx: Tx, { at, byEnvironment }: FlagsSeen): Promise<void> {
  for (const [environment, names] of byEnvironment) {
    const sorted = [...names].toSorted();
    for (let i = 0; i < sorted.length; i += rowsPerStatement) {
      const chunk = sorted.slice(i, i + rowsPerStatement);
      await tx.db
        .updateTable('features')
        .set({ last_seen_at: at })
        .where('name', 'in', chunk)
        .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', at)]))
        .execute();
      await tx.db
        .updateTable('feature_environments')
        .set({ last_seen_at: at })
        .where('environment', '=', environment)
        .where('feature_name', 'in', chunk)
        .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', at)]))
        .execute();
    }
  }
}

/** Returns the flags that were never seen in the environment, with one statement for each environment and 500 flags. */
export async function neverSeen(
  db: Db,
  byEnvironment: FlagsByEnvironment,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [environment, flags] of byEnvironment) {
    const names = [...flags];
    const unseen: string[] = [];
    for (let i = 0; i < names.length; i += rowsPerStatement) {
      const rows = await db
        .selectFrom('feature_environments')
        .select('feature_name')
        .where('environment', '=', environment)
        .where('feature_name', 'in', names.slice(i, i + rowsPerStatement))
        .where('last_seen_at', 'is', null)
        .orderBy('feature_name')
        .execute();
      unseen.push(...rows.map((row) => row.feature_name));
    }
    if (unseen.length > 0) found.set(environment, unseen);
  }
  return found;
}
