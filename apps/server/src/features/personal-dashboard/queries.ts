import type { EventRow } from '../../storage/tables/events.ts';
import type { Db } from '../../storage/tx.ts';
import { adminRoleId } from '../access/index.ts';

const mostFlags = 100;
const mostEvents = 10;

/** People who can do everything, by id. */
export async function administrators(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'username', 'email'])
    .where('kind', '=', 'user')
    .where('root_role_id', '=', adminRoleId)
    .orderBy('id')
    .execute();
}

/** The newest flags in use that somebody has created or favors. */
export async function flagsOf(db: Db, userId: number, hidden: ReadonlySet<string>) {
  let query = db
    .selectFrom('features as f')
    .select(['f.name', 'f.project', 'f.type'])
    .where('f.archived_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('f.created_by_user_id', '=', userId),
        eb.exists(
          eb
            .selectFrom('favorite_features as v')
            .select('v.feature_name')
            .whereRef('v.feature_name', '=', 'f.name')
            .where('v.user_id', '=', userId),
        ),
      ]),
    )
    .orderBy('f.created_at', 'desc')
    .orderBy('f.name')
    .limit(mostFlags);
  if (hidden.size > 0) query = query.where('f.project', 'not in', [...hidden]);
  return query.execute();
}

/** What happened last in a project, the newest first. */
export async function latestEvents(db: Db, project: string): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('project', '=', project)
    .orderBy('id', 'desc')
    .limit(mostEvents)
    .execute();
}
