import { boldName, type EventType, eventLabels } from '@yardarm/contract';
import type { Db } from '#storage/tx.ts';
import { eventCounts, type HeldPlace, heldByIncident, type ThreadOwner } from './store.ts';
import { heldNow, over } from './words.ts';

/** The state of an incident in the environments of an integration. */
export interface IncidentState {
  readonly id: number;
  /** Its newest event: a message with this state tells all events up to this one. */
  readonly newest: number;
  /** Whether a flag is held. An incident that held none has no end. */
  readonly isOpen: boolean;
  readonly hasEnd: boolean;
  /** The state in Markdown; null for an incident that held nothing. */
  readonly status: string | null;
  /** The sum of its events, in Markdown; null for an incident of one flag, whose event says so. */
  readonly headline: string | null;
  /** The sum of the events after the one that was told last; null for one flag. */
  readonly news: string | null;
}

/** Reads the state of an incident. `told` is the newest event that was told. */
export async function incidentState(
  db: Db,
  incidentId: number,
  integration: ThreadOwner,
  { told, now }: { readonly told: number; readonly now: number },
): Promise<IncidentState> {
  // Read before the holds: a state that is newer than `newest` says is told once more, not too little.
  const row = await db
    .selectFrom('incidents')
    .select(['project', 'last_event_id'])
    .where('id', '=', incidentId)
    .executeTakeFirstOrThrow();
  const [held, all, since] = await Promise.all([
    heldByIncident(db, incidentId, integration, now),
    eventCounts(db, incidentId, integration, 0),
    told === 0 ? undefined : eventCounts(db, incidentId, integration, told),
  ]);
  const heldFlags = all.byType.find(({ type }) => type === 'feature-lease-placed')?.flags ?? 0;
  const headline = headlineOf(row.project, all);
  return {
    id: incidentId,
    newest: row.last_event_id,
    isOpen: held.length > 0,
    hasEnd: heldFlags > 0 || held.length > 0,
    status: statusOf(held, heldFlags),
    headline,
    news: since === undefined ? headline : headlineOf(row.project, since),
  };
}

function statusOf(held: readonly HeldPlace[], heldFlags: number): string | null {
  if (held.length > 0) return heldNow(held);
  return heldFlags > 0 ? over : null;
}

type Counts = Awaited<ReturnType<typeof eventCounts>>;

/** Returns what happened to several flags, such as "30 flags in the project **shop**: 30 × flag held". */
function headlineOf(project: string, { flags, byType }: Counts): string | null {
  if (flags < 2) return null;
  const what = byType.map(({ type, events }) => `${events} × ${wordsOf(type)}`);
  return `${boldName('Yardarm')}: ${flags} flags in the project ${boldName(project)}: ${what.join(', ')}`;
}

function wordsOf(type: string): string {
  const label = eventLabels[type as EventType];
  return label === type ? label.replaceAll('-', ' ') : label.toLowerCase();
}
