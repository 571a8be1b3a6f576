import type { Db } from '#storage/tx.ts';

/** A period in milliseconds UTC, with its ends. */
export interface Period {
  readonly since: number;
  readonly until: number;
}

/** An account got control of another one. */
export interface Control {
  readonly userId: number;
  /** Null stands for a person who signed up. */
  readonly by: number | null;
  readonly means: string;
  /** Milliseconds UTC. */
  readonly at: number;
}

/** Reads the control that accounts got since a time, and the lasting one, in one statement. */
export async function readControls(db: Db, since: number): Promise<readonly Control[]> {
  const rows = await db
    .selectFrom('account_controllers')
    .select(['user_id', 'controller_user_id', 'means', 'controlled_at'])
    .where('user_id', 'is not', null)
    .where((eb) => eb.or([eb('controlled_at', '>=', since), eb('means', '=', 'service-account')]))
    .execute();
  return rows.map((row) => ({
    userId: row.user_id as number,
    by: row.controller_user_id,
    means: row.means,
    at: row.controlled_at,
  }));
}

/**
 * Returns the accounts that control an account in a period, directly or through others; null for a person. Those who
 * made a service account and its tokens control it at any time.
 */
export function controllersOf(
  controls: readonly Control[],
  userId: number,
  { since, until }: Period,
): ReadonlySet<number | null> {
  const current = controls.filter(
    ({ at, means }) => at <= until && (means === 'service-account' || (means !== 'role' && at >= since)),
  );
  const byUser = Map.groupBy(current, (control) => control.userId);
  const found = new Set<number | null>();
  const next = [userId];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    for (const { by } of byUser.get(id) ?? []) {
      if (by !== null && by !== userId && !found.has(by)) next.push(by);
      found.add(by);
    }
  }
  return found;
}

/** Returns the accounts that in a period gave an account the right to approve. */
export function roleGiversOf(
  controls: readonly Control[],
  userId: number,
  { since, until }: Period,
): readonly number[] {
  return controls.flatMap((control) =>
    control.userId === userId && control.means === 'role' && control.at >= since && control.at <= until
      ? (control.by ?? [])
      : [],
  );
}
