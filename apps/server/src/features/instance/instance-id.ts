import type { Db } from '../../storage/tx.ts';

/** Returns the unique id of this instance, which was created with its database. */
export async function instanceId(db: Db): Promise<string> {
  const row = await db
    .selectFrom('settings')
    .select('content')
    .where('name', '=', 'instance.id')
    .executeTakeFirstOrThrow();
  return JSON.parse(row.content) as string;
}
