import { type EventType, holdEffects } from '@yardarm/contract';
import { z } from 'zod';
import { systemActor } from '../../kernel/actor.ts';
import { jsonColumn } from '../../storage/json-column.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import type { Change, Part } from './grouping.ts';

/** The fields of a hold that its events have in all versions. */
const holdColumn = jsonColumn(
  'events.data',
  z.object({
    id: z.number(),
    effect: z.enum(holdEffects),
    rollout: z.number().nullable(),
    reason: z.string().nullable(),
    heldBy: z.object({ kind: z.string(), key: z.string(), name: z.string() }),
    placedAt: z.string(),
  }),
);
const startColumn = jsonColumn('events.data', z.object({ trigger: z.string() }));

export type RecordedHold = ReturnType<typeof holdColumn.parse>;

const heldTypes: readonly EventType[] = [
  'feature-lease-placed',
  'feature-lease-updated',
  'feature-lease-stepped-down',
  'feature-lease-expiring',
];
const endTypes: readonly EventType[] = ['feature-lease-released', 'feature-lease-expired'];

type Recorded = Pick<EventRow, 'id' | 'type' | 'data' | 'pre_data'>;

/** Returns the hold of an event that placed, updated, announced or ended it; undefined for other events. */
export function holdOfEvent(row: Recorded): RecordedHold | undefined {
  const type = row.type as EventType;
  const text = heldTypes.includes(type) ? row.data : endTypes.includes(type) ? row.pre_data : null;
  return text === null ? undefined : holdColumn.parse(text, row.id);
}

/** The events that say how a run or a call went. They change no flag, so a run that only failed makes no incident. */
const aboutRuns: ReadonlySet<EventType> = new Set(['action-run-failed', 'action-run-stopped', 'action-call-given-up']);

/** The part of an event that no run caused, if the server is its author. A type without a row has no part. */
const ofServer: Partial<Record<EventType, (row: EventRow) => Part>> = {
  'feature-lease-placed': ofSafeguard,
  'feature-lease-updated': ofSafeguard,
  'feature-lease-stepped-down': () => 'joins',
  'feature-lease-expiring': () => 'of its hold',
  'feature-effective-state-changed': () => 'joins',
  'feature-override-ended': () => 'joins',
  'feature-environment-disabled': () => 'joins',
  'feature-environment-enabled': () => 'joins',
  'safeguard-triggered': () => 'begins',
  'safeguard-no-data': () => 'begins',
  'safeguard-no-data-ended': () => 'joins',
  'release-plan-waiting': () => 'joins',
  'release-plan-progressions-paused': () => 'begins',
  'release-plan-progressions-resumed': () => 'joins',
  // A plan that advances as planned is no incident by itself.
  'release-plan-milestone-started': (row) =>
    row.data !== null && startColumn.parse(row.data, row.id).trigger === 'halts' ? 'begins' : 'joins',
};

/** The part of an event that no run caused, whoever its author is. */
const ofAnyone: Partial<Record<EventType, Part>> = {
  'feature-lease-released': 'of its hold',
  'feature-lease-expired': 'of its hold',
  'feature-override-outlasted': 'joins',
  'feature-deleted': 'forgets',
};

/** The types of the events that may belong to an incident although no run caused them. */
export const typesWithoutRun = [
  ...new Set([...Object.keys(ofServer), ...Object.keys(ofAnyone)]),
] as readonly EventType[];

function ofSafeguard(row: EventRow): Part {
  return holdOfEvent(row)?.heldBy.kind === 'safeguard' ? 'begins' : 'none';
}

function partOf(row: EventRow): Part {
  const type = row.type as EventType;
  if (aboutRuns.has(type)) return 'none';
  if (row.run_id !== null) return 'begins';
  const part = ofAnyone[type];
  if (part !== undefined) return part;
  return row.created_by_user_id === systemActor.userId ? (ofServer[type]?.(row) ?? 'none') : 'none';
}

/** Returns what the grouping of incidents needs of an event; undefined for an event that is no part of incidents. */
export function changeOf(row: EventRow): Change | undefined {
  const part = partOf(row);
  const { project } = row;
  if (part === 'none' || project === null) return undefined;
  return {
    id: row.id,
    at: row.created_at,
    part,
    project,
    featureName: row.feature_name,
    runId: row.run_id,
    groupId: row.group_id,
    holdId: holdOfEvent(row)?.id ?? null,
    endsHold: endTypes.includes(row.type as EventType),
  };
}
