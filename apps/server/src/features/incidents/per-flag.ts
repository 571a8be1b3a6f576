import type { EventType } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '../../storage/json-column.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import { holdOfEvent } from './membership.ts';

const stateColumn = jsonColumn('events.data', z.object({ enabled: z.boolean(), lease: z.object({}).nullish() }));

/** The state of a flag in an environment, as an incident changed it. */
interface FlagState {
  offMs: number;
  /** Milliseconds UTC; undefined while the flag is on, as far as the events tell. */
  offSince: number | undefined;
  isHeld: boolean;
  readonly holds: Set<number>;
  readonly signals: Set<number>;
}

/** Returns the events without repetitions, in the order of their ids. */
export function uniqueById(rows: readonly EventRow[]): EventRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) => a.id - b.id);
}

/**
 * Returns for how long each flag of an incident was off for users, by how many holds and signals. `own` are the events
 * of the incident, `others` those of people, who may switch a flag off or on before its last event, or before now while
 * it `isOpen`.
 */
export function perFlag(
  own: readonly EventRow[],
  others: readonly EventRow[],
  { now, isOpen }: { readonly now: number; readonly isOpen: boolean },
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
    const hold = holdOfEvent(row);
    if (isOwn.has(row.id) && hold !== undefined) state.holds.add(hold.id);
    if (isOwn.has(row.id) && row.signal_id !== null) state.signals.add(row.signal_id);
    follow(state, row);
  }
  return [...states].map(([key, { offMs, offSince, holds, signals }]) => {
    const [featureName, environment] = JSON.parse(key) as [string, string];
    const until = offSince === undefined ? 0 : now - offSince;
    const counts = { holds: holds.size, signals: signals.size };
    return { featureName, environment, offMs: offMs + until, isOff: offSince !== undefined, ...counts };
  });
}

function keyOf({ feature_name, environment }: EventRow): string {
  return JSON.stringify([feature_name, environment]);
}

function newState(): FlagState {
  return { offMs: 0, offSince: undefined, isHeld: false, holds: new Set(), signals: new Set() };
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
