import type { Db } from '../../storage/tx.ts';

/** A period in milliseconds UTC, with its ends. */
export interface Period {
  readonly since: number;
  readonly until: number;
}

/**
 * Returns the accounts that control an account, directly or through others; null stands for a person who signed up. A
 * service account is controlled by those who made it and its tokens, at any time.
 */
export async function controllersOf(
  db: Db,
  userId: number,
  { since, until }: Period,
): Promise<ReadonlySet<number | null>> {
  const found = new Set<number | null>();
  let next = [userId];
  while (next.length > 0) {
    const rows = await db
      .selectFrom('account_controllers')
      .select('controller_user_id as id')
      .distinct()
      .where('user_id', 'in', next)
      .where('controlled_at', '<=', until)
      .where((eb) => eb.or([eb('controlled_at', '>=', since), eb('means', '=', 'service-account')]))
      .execute();
    next = rows.flatMap(({ id }) => (id === null || id === userId || found.has(id) ? [] : [id]));
    for (const { id } of rows) found.add(id);
  }
  return found;
}
