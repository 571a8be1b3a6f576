import { type Hold, holdEffectColumns, toHoldEffect } from '#features/flags/held-state/index.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { sql } from '#storage/tx.ts';
import type { HoldsOfSubject } from './subject.ts';

/** The integration that a thread belongs to. */
export interface ThreadOwner {
  readonly id: number;
  /** Empty or `*`: all environments. */
  readonly environments: readonly string[];
  /** The types of the events that it receives. */
  readonly events: readonly string[];
}

/** The part of a thread that changes with its messages. */
export interface ThreadState {
  /** The event that ended the subject; null while it is open. */
  readonly endedEventId: number | null;
  /** The newest event that was told, in threads about incidents; 0 in others. */
  readonly toldEventId: number;
  readonly toldAt: number;
  /** When a digest tells the events up to `digestEventId`; null when none waits. */
  readonly digestAt: number | null;
  readonly digestEventId: number | null;
}

/** A thread: the messages of an integration about one subject, from its beginning to its end. */
export interface StoredThread extends ThreadState {
  readonly id: number;
  readonly firstEventId: number;
  readonly lastEventAt: number;
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
  return db
    .selectFrom('message_threads')
    .select(['id', 'first_event_id as firstEventId', 'last_event_at as lastEventAt', 'ended_event_id as endedEventId'])
    .select(['told_event_id as toldEventId', 'told_at as toldAt', 'reference'])
    .select(['digest_at as digestAt', 'digest_event_id as digestEventId'])
    .where('integration_id', '=', integrationId)
    .where('subject', '=', subject)
    .orderBy(sql`case when first_event_id <= ${eventId} then 0 else 1 end`)
    .orderBy(sql`case when first_event_id <= ${eventId} then -first_event_id else first_event_id end`)
    .limit(1)
    .executeTakeFirst();
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
      ...toColumns(thread),
      reference: thread.reference,
    })
    .onConflict((conflict) => conflict.columns(['integration_id', 'subject', 'first_event_id']).doNothing())
    .execute();
}

export async function updateThread(
  tx: Tx,
  id: number,
  state: ThreadState & Pick<StoredThread, 'lastEventAt'>,
): Promise<void> {
  await tx.db.updateTable('message_threads').set(toColumns(state)).where('id', '=', id).execute();
}

function toColumns(state: ThreadState & Pick<StoredThread, 'lastEventAt'>) {
  return {
    last_event_at: state.lastEventAt,
    ended_event_id: state.endedEventId,
    told_event_id: state.toldEventId,
    told_at: state.toldAt,
    digest_at: state.digestAt,
    digest_event_id: state.digestEventId,
  };
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
  readonly reason: string | null;
  /** When it ends, in milliseconds UTC; null without an end, and after it. */
  readonly until: number | null;
}

/** Returns the holds of a subject in environments that an integration receives events of, oldest first. */
export function holdsOfSubject(db: Db, holds: HoldsOfSubject, owner: ThreadOwner, now: number): Promise<HeldPlace[]> {
  const query = heldPlaces(db, owner);
  if ('id' in holds) return asPlaces(query.where('l.id', '=', holds.id), now);
  return asPlaces(
    query
      .where('l.action_set_id', '=', holds.actionSetId)
      .where('l.holder_key', '=', holds.key)
      .where('f.project', '=', holds.project),
    now,
  );
}

/** Returns the holds of an incident in environments that an integration receives events of, oldest first. */
export function heldByIncident(db: Db, incidentId: number, owner: ThreadOwner, now: number): Promise<HeldPlace[]> {
  return asPlaces(
    heldPlaces(db, owner).where('l.id', 'in', (eb) =>
      eb.selectFrom('incident_holds as h').select('h.hold_id').where('h.incident_id', '=', incidentId),
    ),
    now,
  );
}

function heldPlaces(db: Db, owner: ThreadOwner) {
  const query = db
    .selectFrom('feature_leases as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .select(['l.feature_name', 'l.environment', 'l.reason', 'l.expires_at', ...holdEffectColumns])
    .orderBy('l.id');
  return isForAll(owner) ? query : query.where('l.environment', 'in', owner.environments);
}

function isForAll({ environments }: ThreadOwner): boolean {
  return environments.length === 0 || environments.includes('*');
}

async function asPlaces(query: ReturnType<typeof heldPlaces>, now: number): Promise<HeldPlace[]> {
  return (await query.execute()).flatMap(({ feature_name: featureName, environment, reason, expires_at, ...row }) => {
    const held = toHoldEffect(row);
    const until = expires_at !== null && expires_at > now ? expires_at : null;
    return held === null ? [] : [{ featureName, environment, reason, until, ...held }];
  });
}

/** Returns how many events of each type an integration receives of an incident after one, with their flags. */
export async function eventCounts(db: Db, incidentId: number, owner: ThreadOwner, after: number) {
  let query = db
    .selectFrom('incident_events as m')
    .innerJoin('events as e', 'e.id', 'm.event_id')
    .where('m.incident_id', '=', incidentId)
    .where('m.event_id', '>', after);
  if (owner.events.length > 0) query = query.where('e.type', 'in', owner.events);
  if (!isForAll(owner))
    query = query.where((eb) =>
      eb.or([eb('e.environment', 'is', null), eb('e.environment', 'in', owner.environments)]),
    );
  const [all, types] = await Promise.all([
    query.select((eb) => eb.fn.count<number>('e.feature_name').distinct().as('flags')).executeTakeFirstOrThrow(),
    query
      .select((eb) => [
        'e.type',
        eb.fn.countAll<number>().as('events'),
        eb.fn.count<number>('e.feature_name').distinct().as('flags'),
      ])
      .groupBy('e.type')
      .orderBy((eb) => eb.fn.min('m.event_id'))
      .execute(),
  ]);
  const byType = types.map(({ type, events, flags }) => ({ type, events: Number(events), flags: Number(flags) }));
  return { flags: Number(all.flags), byType };
}

/** Returns the threads whose digest is due, with the event that the digest is queued for. */
export async function dueDigests(db: Db, now: number, limit: number) {
  return db
    .selectFrom('message_threads')
    .select(['id', 'integration_id', 'digest_at', 'digest_event_id'])
    .where('digest_at', '<=', now)
    .orderBy('digest_at')
    .limit(limit)
    .execute();
}

/** Clears a digest that is due. Returns false when another process has queued it. */
export async function takeDigest(tx: Tx, id: number, digestAt: number | null): Promise<boolean> {
  const taken = await tx.db
    .updateTable('message_threads')
    .set({ digest_at: null, digest_event_id: null })
    .where('id', '=', id)
    .where('digest_at', '=', digestAt)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}
