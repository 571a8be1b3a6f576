import type { Db, Tx } from '../../../storage/tx.ts';
import { sql } from '../../../storage/tx.ts';
import { type Hold, holdEffectColumns, toHoldEffect } from '../../flags/index.ts';
import type { HoldsOfSubject } from './subject.ts';

/** The integration that a thread belongs to. */
export interface ThreadOwner {
  readonly id: number;
  /** Empty or `*`: all environments. */
  readonly environments: readonly string[];
}

/** A thread: the messages of an integration about one subject, from its beginning to its end. */
export interface StoredThread {
  readonly id: number;
  readonly firstEventId: number;
  readonly lastEventAt: number;
  /** The event that ended the subject; null while it is open. */
  readonly endedEventId: number | null;
  /** The receiver's id of the first message, such as channel and time in Slack; null when the receiver gave none. */
  readonly reference: string | null;
}

/**
 * Returns the newest thread of a subject that began with or before an event. When all its threads began later, returns
 * the oldest; when there is none, undefined.
 */
export async function findThread(
  db: Db,
  integrationId: number,
  subject: string,
  eventId: number,
): Promise<StoredThread | undefined> {
  const row = await db
    .selectFrom('message_threads')
    .selectAll()
    .where('integration_id', '=', integrationId)
    .where('subject', '=', subject)
    .orderBy(sql`case when first_event_id <= ${eventId} then 0 else 1 end`)
    .orderBy(sql`case when first_event_id <= ${eventId} then -first_event_id else first_event_id end`)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    firstEventId: row.first_event_id,
    lastEventAt: row.last_event_at,
    endedEventId: row.ended_event_id,
    reference: row.reference,
  };
}

/** Stores a new thread. Does nothing when a thread of the subject with the same first event is stored already. */
export async function insertThread(
  tx: Tx,
  thread: Omit<StoredThread, 'id'> & { readonly integrationId: number; readonly subject: string },
): Promise<void> {
  await tx.db
    .insertInto('message_threads')
    .values({
      integration_id: thread.integrationId,
      subject: thread.subject,
      first_event_id: thread.firstEventId,
      last_event_at: thread.lastEventAt,
      ended_event_id: thread.endedEventId,
      reference: thread.reference,
    })
    .onConflict((conflict) => conflict.columns(['integration_id', 'subject', 'first_event_id']).doNothing())
    .execute();
}

export async function updateThread(
  tx: Tx,
  { id, lastEventAt, endedEventId }: Pick<StoredThread, 'id' | 'lastEventAt' | 'endedEventId'>,
): Promise<void> {
  await tx.db
    .updateTable('message_threads')
    .set({ last_event_at: lastEventAt, ended_event_id: endedEventId })
    .where('id', '=', id)
    .execute();
}

export async function deleteThread(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('message_threads').where('id', '=', id).execute();
}

/** A flag that is held. */
export interface HeldPlace {
  readonly featureName: string;
  readonly environment: string;
  readonly effect: Hold['effect'];
  readonly rollout: number | null;
  readonly milestone: Hold['milestone'];
}

/** Returns the holds of a subject in environments that an integration receives events of, oldest first. */
export async function holdsOfSubject(
  db: Db,
  holds: HoldsOfSubject,
  { environments }: Pick<ThreadOwner, 'environments'>,
): Promise<HeldPlace[]> {
  let query = db
    .selectFrom('feature_leases as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .select(['l.feature_name', 'l.environment', ...holdEffectColumns])
    .orderBy('l.id');
  if ('id' in holds) query = query.where('l.id', '=', holds.id);
  else
    query = query
      .where('l.action_set_id', '=', holds.actionSetId)
      .where('l.holder_key', '=', holds.key)
      .where('f.project', '=', holds.project);
  if (environments.length > 0 && !environments.includes('*')) query = query.where('l.environment', 'in', environments);
  const rows = await query.execute();
  return rows.flatMap(({ feature_name: featureName, environment, ...row }) => {
    const held = toHoldEffect(row);
    return held === null ? [] : [{ featureName, environment, ...held }];
  });
}
