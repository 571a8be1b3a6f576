import type { Tx } from '#storage/tx.ts';

/** The account or token that favorites belong to. */
export interface Owner {
  readonly userId: number;
  /** The id of the account, whose deletion deletes its favorites; null for a token without an account. */
  readonly accountId: number | null;
}

/** Adds a flag to the favorites; returns false when it is a favorite already. */
export async function addFeature(tx: Tx, { userId, accountId }: Owner, featureName: string): Promise<boolean> {
  const added = await tx.db
    .insertInto('favorite_features')
    .values({ user_id: userId, account_id: accountId, feature_name: featureName })
    .onConflict((conflict) => conflict.doNothing())
    .returning('feature_name')
    .executeTakeFirst();
  return added !== undefined;
}

/** Removes a flag from the favorites; returns false when it is not a favorite. */
export async function removeFeature(tx: Tx, { userId }: Owner, featureName: string): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('favorite_features')
    .where('user_id', '=', userId)
    .where('feature_name', '=', featureName)
    .returning('feature_name')
    .executeTakeFirst();
  return removed !== undefined;
}

/** Like {@link addFeature}, for a project. */
export async function addProject(tx: Tx, { userId, accountId }: Owner, project: string): Promise<boolean> {
  const added = await tx.db
    .insertInto('favorite_projects')
    .values({ user_id: userId, account_id: accountId, project })
    .onConflict((conflict) => conflict.doNothing())
    .returning('project')
    .executeTakeFirst();
  return added !== undefined;
}

/** Like {@link removeFeature}, for a project. */
export async function removeProject(tx: Tx, { userId }: Owner, project: string): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('favorite_projects')
    .where('user_id', '=', userId)
    .where('project', '=', project)
    .returning('project')
    .executeTakeFirst();
  return removed !== undefined;
}
