import type { Tx } from '../../storage/tx.ts';

/** Whose favorites they are. */
export interface Owner {
  readonly userId: number;
  /** The same id, of one who has an account: its favorites end with it. Null for the bearer of a token. */
  readonly accountId: number | null;
}

/** Makes a flag a favorite. False when it is one already. */
export async function addFeature(tx: Tx, { userId, accountId }: Owner, featureName: string): Promise<boolean> {
  const added = await tx.db
    .insertInto('favorite_features')
    .values({ user_id: userId, account_id: accountId, feature_name: featureName })
    .onConflict((conflict) => conflict.doNothing())
    .returning('feature_name')
    .executeTakeFirst();
  return added !== undefined;
}

/** Makes a flag no favorite. False when it is none. */
export async function removeFeature(tx: Tx, { userId }: Owner, featureName: string): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('favorite_features')
    .where('user_id', '=', userId)
    .where('feature_name', '=', featureName)
    .returning('feature_name')
    .executeTakeFirst();
  return removed !== undefined;
}

/** {@link addFeature} for a project. */
export async function addProject(tx: Tx, { userId, accountId }: Owner, project: string): Promise<boolean> {
  const added = await tx.db
    .insertInto('favorite_projects')
    .values({ user_id: userId, account_id: accountId, project })
    .onConflict((conflict) => conflict.doNothing())
    .returning('project')
    .executeTakeFirst();
  return added !== undefined;
}

/** {@link removeFeature} for a project. */
export async function removeProject(tx: Tx, { userId }: Owner, project: string): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('favorite_projects')
    .where('user_id', '=', userId)
    .where('project', '=', project)
    .returning('project')
    .executeTakeFirst();
  return removed !== undefined;
}
