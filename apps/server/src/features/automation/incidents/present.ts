import { type EventType, readableAuthor } from '@yardarm/contract';
import { labelOf, summaryOf } from '#features/log/events/index.ts';
import type { Identity } from '#kernel/caller.ts';
import { isoTime } from '#kernel/clock.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';
import { markOf } from './marks.ts';
import { holdOfEvent } from './membership.ts';
import { findEvents, findSignals, type IncidentSignal } from './queries.ts';
import { flagsOfIncidents, type IncidentRow } from './store.ts';

/** The maximum number of flags that are named in a list. */
const maxFlags = 20;

/** The names that an incident shows besides its row. */
interface Naming {
  readonly flags: readonly string[];
  /** The first signal; undefined without one, or when no trace of it is left. */
  readonly signal: IncidentSignal | undefined;
  /** The first event. */
  readonly first: EventRow | undefined;
}

/** Returns an incident as lists show it. */
export function presentIncident(
  { id, project, startedAt, lastAt, openHolds, signals, runs, changes }: IncidentRow,
  { flags, signal, first }: Naming,
  { can }: Pick<Identity, 'can'>,
) {
  const title = (can('READ_SIGNALS') ? signal?.title : null) ?? signal?.endpoint;
  return {
    ...{ id, project },
    title: title ?? (first === undefined ? `Incident ${id}` : titleOf(first)),
    startedAt: isoTime(startedAt),
    lastAt: isoTime(lastAt),
    openHolds,
    flags: flags.slice(0, maxFlags),
    flagCount: flags.length,
    ...{ signals, runs, changes },
  };
}

/** Returns the title of an incident without a signal, such as "Safeguard triggered: checkout". */
function titleOf(first: EventRow): string {
  return `${labelOf(first)}${first.feature_name === null ? '' : `: ${first.feature_name}`}`;
}

/** Returns incidents as lists show them, in the order of the rows. */
export async function presentAll(db: Db, caller: Identity, incidents: readonly IncidentRow[]) {
  const ids = incidents.map(({ id }) => id);
  const [flags, signals, firstEvents] = await Promise.all([
    flagsOfIncidents(db, ids),
    findSignals(
      db,
      incidents.flatMap(({ firstSignal }) => firstSignal ?? []),
    ),
    findEvents(db, ids),
  ]);
  return incidents.map((incident) => {
    const signal = signals.find(({ id }) => id === incident.firstSignal);
    const naming = { flags: flags.get(incident.id) ?? [], signal, first: firstEvents.get(incident.id) };
    return presentIncident(incident, naming, caller);
  });
}

/** Returns an event as a line of an incident. */
export function presentChange(row: EventRow, takeBacks: ReadonlySet<number>) {
  const mark = markOf(row, takeBacks);
  return {
    eventId: row.id,
    at: isoTime(row.created_at),
    type: row.type as EventType,
    label: labelOf(row),
    summary: summaryOf(row),
    mark,
    by: readableAuthor(row.created_by),
    reason: row.reason,
    featureName: row.feature_name,
    environment: row.environment,
    signalId: row.signal_id,
    runId: row.run_id,
    byAutomation: mark !== 'person',
  };
}

/** Returns the holds that the events tell of, each in its last state, with its end if it has ended. */
export function holdsOf(rows: readonly EventRow[]) {
  const holds = new Map<number, ReturnType<typeof presentHoldOf>>();
  for (const row of rows) {
    const presented = presentHoldOf(row);
    if (presented !== undefined) holds.set(presented.id, presented);
  }
  return [...holds.values()].flatMap((hold) => hold ?? []);
}

function presentHoldOf(row: EventRow) {
  const hold = holdOfEvent(row);
  if (hold === undefined) return undefined;
  const { id, effect, rollout, reason, heldBy, placedAt } = hold;
  const how = endings[row.type as keyof typeof endings];
  return {
    ...{ id, effect, rollout, reason, placedAt },
    featureName: row.feature_name ?? '',
    environment: row.environment ?? '',
    placedBy: heldBy.name,
    end: how === undefined ? null : { at: isoTime(row.created_at), how, by: readableAuthor(row.created_by) },
  };
}

const endings = { 'feature-lease-released': 'released', 'feature-lease-expired': 'expired' } as const satisfies Partial<
  Record<EventType, 'released' | 'expired'>
>;
