import type { Db } from '../../storage/tx.ts';

/** Tells this installation from others. It was made with its database and stays with it. */
export async function instanceId(db: Db): Promise<string> {
  const row = await db
    .selectFrom('settings')
    .select('content')
    .where('name', '=', 'instance.id')
    .executeTakeFirstOrThrow();
  return JSON.parse(row.content) as string;
}
