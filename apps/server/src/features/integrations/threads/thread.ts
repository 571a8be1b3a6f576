import type { EventRow } from '../../../storage/tables/events.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import { stateOf } from '../../flags/index.ts';
import { isDelivered, type SendResult } from '../../outbound/index.ts';
import {
  deleteThread,
  findThread,
  type HeldPlace,
  holdsOfSubject,
  insertThread,
  type StoredThread,
  type ThreadOwner,
  updateThread,
} from './store.ts';
import { type Subject, subjectOf } from './subject.ts';

/** A problem without an end of its own that did not repeat for this time begins a new thread when it occurs again. */
const quietMs = 60 * 60 * 1000;
/** The number of flags that a message names. */
const maxNamed = 10;

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
}

/** Returns the thread of an event; undefined for an event that stands alone. */
export async function threadOf(db: Db, integration: ThreadOwner, event: EventRow): Promise<Thread | undefined> {
  const subject = subjectOf(event);
  if (subject === undefined) return undefined;
  const found = await findThread(db, integration.id, subject.key, event.id);
  const stored = found !== undefined && continues(found, subject, event) ? found : undefined;
  const first =
    stored === undefined
      ? undefined
      : await db.selectFrom('events').selectAll().where('id', '=', stored.firstEventId).executeTakeFirst();
  const hasEnded = stored?.endedEventId != null && event.id <= stored.endedEventId;
  const held = subject.holds === undefined ? undefined : await holdsOfSubject(db, subject.holds, integration);
  const isOpen = !hasEnded && (held === undefined ? subject.role !== 'ends' : held.length > 0);
  return { subject, stored, first: first ?? event, isOpen, status: statusOf(subject, isOpen, held) };
}

/** Stores the thread of a sent message: continues it or begins it. Deletes a thread that the receiver has lost. */
export async function saveThread(
  tx: Tx,
  integrationId: number,
  { subject, stored, isOpen }: Thread,
  event: EventRow,
  result: SendResult,
): Promise<void> {
  if ('referenceLost' in result && stored !== undefined) return deleteThread(tx, stored.id);
  if (!isDelivered(result)) return;
  const before = stored?.endedEventId ?? null;
  const endedEventId = subject.role === 'ends' && !isOpen ? Math.max(before ?? 0, event.id) : before;
  if (stored !== undefined) {
    const lastEventAt = Math.max(stored.lastEventAt, event.created_at);
    return updateThread(tx, { id: stored.id, lastEventAt, endedEventId });
  }
  const reference = ('reference' in result ? result.reference : undefined) ?? null;
  const begun = { firstEventId: event.id, lastEventAt: event.created_at, endedEventId, reference };
  await insertThread(tx, { ...begun, integrationId, subject: subject.key });
}

/** Returns whether an event continues a thread, rather than beginning a new thread of the same subject. */
function continues({ endedEventId, lastEventAt }: StoredThread, { role }: Subject, event: EventRow): boolean {
  if (role === 'repeats') return event.created_at - lastEventAt < quietMs;
  return role === 'ends' || endedEventId === null || event.id <= endedEventId;
}

function statusOf({ role, key }: Subject, isOpen: boolean, held: readonly HeldPlace[] | undefined): string | null {
  if (held !== undefined) return isOpen ? `Held now: ${placesOf(held)}` : 'Over: nothing is held any more';
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

function placesOf(held: readonly HeldPlace[]): string {
  const named = held.slice(0, maxNamed).map(({ featureName, environment, ...held }) => {
    return `**${featureName}** in **${environment}** (${stateOf(held)})`;
  });
  const more = held.length > maxNamed ? ` and ${held.length - maxNamed} more` : '';
  return `${named.join(', ')}${more}`;
}
