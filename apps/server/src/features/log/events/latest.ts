import type { EventType } from '@yardarm/contract';
import { isoTime } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';
import { labelOf, summaryOf } from './present.ts';

/** Returns the last events of a project, newest first, with a summary and without data. One statement. */
export async function latestEvents(db: Db, project: string, limit: number) {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'type', 'created_at', 'created_by', 'created_by_user_id'])
    .select(['feature_name', 'project', 'environment', 'data', 'pre_data'])
    .where('project', '=', project)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type as EventType,
    createdAt: isoTime(row.created_at),
    createdBy: row.created_by,
    createdByUserId: row.created_by_user_id,
    featureName: row.feature_name,
    environment: row.environment,
    label: labelOf(row),
    summary: summaryOf(row),
  }));
}
