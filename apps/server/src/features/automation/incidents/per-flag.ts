import type { EventType } from '@yardarm/contract';
import { z } from 'zod';
import { alertsOfRuns } from '#features/automation/actions/index.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';
import { holdOfEvent } from './membership.ts';
import { type MovedRow, movedByIncidents } from './moved-store.ts';

const stateColumn = jsonColumn('events.data', z.object({ enabled: z.boolean(), lease: z.object({}).nullish() }));

/** The state of a flag in an environment, as an incident changed it. */
interface FlagState {
  offMs: number;
  /** Milliseconds UTC; undefined while the flag is on, as far as the events tell. */
  offSince: number | undefined;
  isHeld: boolean;
  readonly holds: Set<number>;
  readonly signals: Set<number>;
  readonly alerts: Set<string>;
  /** The change that moved most contexts. */
  moved: MovedRow | undefined;
}

/** The facts that events lack: the alert of each run, and how many contexts each event moved. */
export interface Known {
  readonly alerts: ReadonlyMap<number, string>;
  readonly moved: ReadonlyMap<number, MovedRow>;
}

/** Returns the events without repetitions, in the order of their ids. */
export function uniqueById(rows: readonly EventRow[]): EventRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) => a.id - b.id);
}

/** Reads what {@link perFlag} needs besides the events of incidents. */
export async function readKnown(db: Db, ids: readonly number[], own: readonly EventRow[]): Promise<Known> {
  const runs = [...new Set(own.flatMap(({ run_id }) => run_id ?? []))];
  const [alerts, moved] = await Promise.all([alertsOfRuns(db, runs), movedByIncidents(db, ids)]);
  return { alerts, moved };
}

/**
 * Returns for how long each flag of an incident was off for users, how many of them that moved, and by how many holds,
 * signals and alerts. `own` are the events of the incident, `others` those of people, who may switch a flag off or on
 * before its last event, or before now while it `isOpen`.
 */
export function perFlag(
  own: readonly EventRow[],
  others: readonly EventRow[],
  { now, isOpen, alerts, moved }: Known & { readonly now: number; readonly isOpen: boolean },
) {
  const [first, last] = [own[0]?.id ?? 0, own.at(-1)?.id ?? 0];
  const meanwhile = others.filter(({ id }) => id > first && (isOpen || id < last));
  const all = uniqueById([...own, ...meanwhile]);
  const states = new Map<string, FlagState>();
  for (const row of own) if (row.feature_name !== null && row.environment !== null) states.set(keyOf(row), newState());
  const isOwn = new Set(own.map(({ id }) => id));
  for (const row of all) {
    const state = states.get(keyOf(row));
    if (state === undefined) continue;
    if (isOwn.has(row.id)) count(state, row, { alerts, moved });
    follow(state, row);
  }
  return [...states].map(([key, { offMs, offSince, ...counted }]) => {
    const [featureName, environment] = JSON.parse(key) as [string, string];
    const until = offSince === undefined ? 0 : now - offSince;
    return {
      ...{ featureName, environment, offMs: offMs + until, isOff: offSince !== undefined },
      ...{ holds: counted.holds.size, signals: counted.signals.size, alerts: counted.alerts.size },
      moved: counted.moved === undefined ? null : { contexts: counted.moved.contexts, moved: counted.moved.moved },
    };
  });
}

/** Counts the hold, signal, alert and moved contexts of an event of the incident. */
function count(state: FlagState, row: EventRow, { alerts, moved }: Known): void {
  const hold = holdOfEvent(row);
  if (hold !== undefined) state.holds.add(hold.id);
  if (row.signal_id !== null) state.signals.add(row.signal_id);
  const alert = row.run_id === null ? undefined : alerts.get(row.run_id);
  if (hold !== undefined && alert !== undefined && placedTypes.has(row.type as EventType)) state.alerts.add(alert);
  const here = moved.get(row.id);
  if (here !== undefined && here.moved >= (state.moved?.moved ?? 0)) state.moved = here;
}

/** The events that tell that an alert holds a flag. */
const placedTypes: ReadonlySet<EventType> = new Set(['feature-lease-placed', 'feature-lease-updated']);

function keyOf({ feature_name, environment }: EventRow): string {
  return JSON.stringify([feature_name, environment]);
}

function newState(): FlagState {
  const sets = { holds: new Set<number>(), signals: new Set<number>(), alerts: new Set<string>() };
  return { offMs: 0, offSince: undefined, isHeld: false, ...sets, moved: undefined };
}

/** Follows whether a flag is off. The configured state counts only while the flag is not held. */
function follow(state: FlagState, row: EventRow): void {
  const type = row.type as EventType;
  if (type === 'feature-effective-state-changed' && row.data !== null) {
    const { enabled, lease } = stateColumn.parse(row.data, row.id);
    state.isHeld = lease != null;
    turn(state, enabled, row.created_at);
  }
  if (state.isHeld) return;
  if (type === 'feature-environment-disabled') turn(state, false, row.created_at);
  if (type === 'feature-environment-enabled') turn(state, true, row.created_at);
}

function turn(state: FlagState, isOn: boolean, at: number): void {
  if (isOn && state.offSince !== undefined) {
    state.offMs += at - state.offSince;
    state.offSince = undefined;
  }
  if (!isOn) state.offSince ??= at;
}
