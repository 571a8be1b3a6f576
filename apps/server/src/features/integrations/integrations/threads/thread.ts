import { isDelivered, type SendResult } from '#features/platform/outbound/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { incidentState } from './incident-state.ts';
import type { ThreadKind } from './kind.ts';
import {
  deleteThread,
  findThread,
  type HeldPlace,
  holdsOfSubject,
  insertThread,
  type StoredThread,
  type ThreadOwner,
  type ThreadState,
  updateThread,
} from './store.ts';
import { type Subject, subjectOf } from './subject.ts';
import { heldNow, over } from './words.ts';

/** A problem without an end of its own that did not repeat for this time begins a new thread when it occurs again. */
const quietMs = 60 * 60 * 1000;
/** The time between two messages about one incident, unless it ends. */
const windowMs = 5 * 60 * 1000;

/**
 * The handling of an event: `send` a message; only `update` the first message of the thread; `wait` for the digest;
 * nothing, because an earlier message has `told` it.
 */
type Telling = 'send' | 'update' | 'wait' | 'told';

/** The thread that the message of an event belongs to, as it is now. */
export interface Thread {
  readonly subject: Subject;
  /** Undefined when the event begins the thread. */
  readonly stored: StoredThread | undefined;
  /** The first event of the thread; the event itself when it begins the thread, or when the first was deleted. */
  readonly first: EventRow;
  /** Whether the subject has not ended. */
  readonly isOpen: boolean;
  /** The state of the subject in Markdown; null for a subject without an end. */
  readonly status: string | null;
  readonly telling: Telling;
  /** The incident that the thread is about; null for another subject. */
  readonly incidentId: number | null;
  /** The text of the message, and that of the first message, instead of the sentence of their events. */
  readonly headline: string | null;
  readonly firstHeadline: string | null;
  /** The newest event that the message tells. */
  readonly newest: number;
  /** When the digest tells an event that waits for it. */
  readonly digestAt: number;
}

/** The message whose thread is asked for. */
export interface ThreadQuery {
  readonly kind: ThreadKind;
  /** The incident of the event; undefined without one. */
  readonly incidentId: number | undefined;
  readonly now: number;
  /** True for a message that a person wants to be sent again. */
  readonly isRepeat: boolean;
}

/** Returns the thread of an event; undefined for an event that stands alone. */
export async function threadOf(
  db: Db,
  integration: ThreadOwner,
  event: EventRow,
  query: ThreadQuery,
): Promise<Thread | undefined> {
  const subject = subjectOf(event);
  const { incidentId, kind } = query;
  const isOfIncident = incidentId !== undefined && (subject === undefined || subject.holds !== undefined);
  if (!isOfIncident && (subject === undefined || kind === 'digests')) return undefined;
  const found = subject === undefined ? undefined : await findThread(db, integration.id, subject.key, event.id);
  const stored = found !== undefined && subject !== undefined && continues(found, subject, event) ? found : undefined;
  // A thread about a hold that began before incidents had threads ends as it began.
  const isOlder = stored?.endedEventId === null && subject?.role !== 'begins';
  if (isOfIncident && !isOlder) return threadOfIncident(db, integration, event, { ...query, incidentId });
  return subject === undefined
    ? undefined
    : threadOfSubject(db, integration, event, { subject, stored, now: query.now });
}

async function threadOfSubject(
  db: Db,
  integration: ThreadOwner,
  event: EventRow,
  {
    subject,
    stored,
    now,
  }: { readonly subject: Subject; readonly stored: StoredThread | undefined; readonly now: number },
): Promise<Thread> {
  const first = await firstOf(db, stored);
  const hasEnded = stored?.endedEventId != null && event.id <= stored.endedEventId;
  const held = subject.holds === undefined ? undefined : await holdsOfSubject(db, subject.holds, integration, now);
  const isOpen = !hasEnded && (held === undefined ? subject.role !== 'ends' : held.length > 0);
  const status = statusOf(subject, isOpen, held);
  return { ...alone, subject, stored, first: first ?? event, isOpen, status, newest: event.id };
}

const alone = { telling: 'send', incidentId: null, headline: null, firstHeadline: null, digestAt: 0 } as const;

async function threadOfIncident(
  db: Db,
  integration: ThreadOwner,
  event: EventRow,
  { incidentId, kind, now, isRepeat }: ThreadQuery & { readonly incidentId: number },
): Promise<Thread> {
  const key = `incident:${incidentId}`;
  const stored = await findThread(db, integration.id, key, event.id);
  const state = await incidentState(db, incidentId, integration, { told: stored?.toldEventId ?? 0, now });
  const hasEnded = state.hasEnd && !state.isOpen;
  const isNew = stored === undefined || isRepeat;
  const isTold = !isNew && event.id <= stored.toldEventId;
  const isDue =
    isNew || kind === 'alerts' || (hasEnded && stored.endedEventId === null) || now - stored.toldAt >= windowMs;
  return {
    subject: { key, role: hasEnded ? 'ends' : 'continues' },
    stored,
    first: (await firstOf(db, stored)) ?? event,
    isOpen: !hasEnded,
    status: state.status,
    telling: isTold ? 'told' : isDue ? 'send' : kind === 'updates' ? 'update' : 'wait',
    incidentId,
    headline: isRepeat ? null : state.news,
    firstHeadline: state.headline,
    newest: Math.max(state.newest, stored?.toldEventId ?? 0),
    digestAt: (stored?.toldAt ?? now) + windowMs,
  };
}

async function firstOf(db: Db, stored: StoredThread | undefined): Promise<EventRow | undefined> {
  if (stored === undefined) return undefined;
  return db.selectFrom('events').selectAll().where('id', '=', stored.firstEventId).executeTakeFirst();
}

/** Stores the thread of a sent message: continues it or begins it. Deletes a thread that the receiver has lost. */
export async function saveThread(
  tx: Tx,
  integrationId: number,
  thread: Thread,
  event: EventRow,
  result: SendResult,
): Promise<void> {
  const { subject, stored, incidentId } = thread;
  if ('referenceLost' in result && stored !== undefined) return deleteThread(tx, stored.id);
  if (!isDelivered(result) && !('delivered' in result)) return;
  const lastEventAt = Math.max(stored?.lastEventAt ?? 0, event.created_at);
  const changed = { lastEventAt, ...(incidentId === null ? endOf(thread, event) : toldOf(thread, event, tx.now)) };
  if (stored !== undefined) return updateThread(tx, stored.id, changed);
  const reference = ('reference' in result ? result.reference : undefined) ?? null;
  await insertThread(tx, { firstEventId: event.id, reference, ...changed, integrationId, subject: subject.key });
}

function endOf({ subject, stored, isOpen }: Thread, event: EventRow): ThreadState {
  const before = stored?.endedEventId ?? null;
  const endedEventId = subject.role === 'ends' && !isOpen ? Math.max(before ?? 0, event.id) : before;
  return { ...untold, endedEventId };
}

const untold = { toldEventId: 0, toldAt: 0, digestAt: null, digestEventId: null } as const;

/** Returns what is stored about a thread of an incident after a message, an update, or neither. */
function toldOf({ stored, telling, isOpen, newest, digestAt }: Thread, event: EventRow, now: number): ThreadState {
  const before = stored ?? { ...untold, endedEventId: null };
  if (telling === 'told') return before;
  if (telling === 'update') return { ...before, toldEventId: newest };
  if (telling === 'wait') {
    const digestEventId = Math.max(before.digestEventId ?? 0, event.id);
    return { ...before, digestAt: before.digestAt ?? digestAt, digestEventId };
  }
  return { ...untold, toldEventId: newest, toldAt: now, endedEventId: isOpen ? null : newest };
}

/** Returns whether an event continues a thread, rather than beginning a new thread of the same subject. */
function continues({ endedEventId, lastEventAt }: StoredThread, { role }: Subject, event: EventRow): boolean {
  if (role === 'repeats') return event.created_at - lastEventAt < quietMs;
  return role === 'ends' || endedEventId === null || event.id <= endedEventId;
}

function statusOf({ role, key }: Subject, isOpen: boolean, held: readonly HeldPlace[] | undefined): string | null {
  if (held !== undefined) return isOpen ? heldNow(held) : over;
  if (role === 'repeats') return null;
  const words = statusWords[key.split(':')[0] ?? ''] ?? { open: 'Still so', ended: 'Over' };
  return isOpen ? words.open : words.ended;
}

const statusWords: Readonly<Record<string, { readonly open: string; readonly ended: string }>> = {
  freeze: { open: 'Frozen now', ended: 'Over: automation runs again' },
  override: { open: 'Automation is kept off now', ended: 'Over: automation may change the flag again' },
  silence: { open: 'Silent now', ended: 'Over: signals come again' },
  'no-data': { open: 'Without data now', ended: 'Over: the safeguard has data again, or is not needed now' },
  'without-effect': { open: 'Without effect now', ended: 'Over: no alert is without effect any more' },
  'rights-of-set': { open: 'The set cannot run now', ended: 'Over: the set lacks no right any more' },
};
