import type { EventType, IncidentMark } from '@yardarm/contract';
import { z } from 'zod';
import { systemActor } from '#kernel/actor.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { holdOfEvent } from './membership.ts';

const stateColumn = jsonColumn(
  'events.data',
  z.object({ lease: z.object({ heldBy: z.object({ kind: z.string() }) }).nullish() }),
);

/** Events in which a person decides an undecided run. They name the run, but are not changes by automation. */
const decisions: ReadonlySet<EventType> = new Set(['action-run-approved', 'action-run-dropped']);

/** Who decided a hold: the end of a person's hold at its time is that person's doing. */
const ofHolder: Readonly<Record<string, IncidentMark>> = { run: 'action', safeguard: 'plan', person: 'person' };

/**
 * Returns who caused an event: a person, an action, or a plan or safeguard. `takeBacks` are the runs in which a person
 * took back what another run did.
 */
export function markOf(row: EventRow, takeBacks: ReadonlySet<number>): IncidentMark {
  const type = row.type as EventType;
  if (decisions.has(type) || (row.run_id !== null && takeBacks.has(row.run_id))) return 'person';
  // A person may have ended the override: the action asks.
  if (row.run_id !== null || type === 'feature-override-outlasted') return 'action';
  if (row.created_by_user_id !== systemActor.userId) return 'person';
  // An override ends at the time that a person gave it.
  if (type === 'feature-override-ended') return 'person';
  const kind =
    holdOfEvent(row)?.heldBy.kind ?? (type === 'feature-effective-state-changed' ? holderOf(row) : undefined);
  return ofHolder[kind ?? ''] ?? 'plan';
}

/** Returns the kind of the holder of the hold that began or ended. */
function holderOf({ id, data, pre_data }: EventRow): string | undefined {
  const lease = (text: string | null) => (text === null ? undefined : stateColumn.parse(text, id).lease);
  return (lease(data) ?? lease(pre_data))?.heldBy.kind;
}
