import { type AutomationEventType, type EventType, holdEffects } from '@yardarm/contract';
import { z } from 'zod';
import { systemActor } from '#kernel/actor.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
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

type Decide = (row: EventRow) => Part;

const part =
  (always: Part): Decide =>
  () =>
    always;
const none = part('none');
/** The events that say how a run or a call went. They change no flag, so a run that only failed makes no incident. */
const aboutRun = part('none');

/** Returns a part that an event has only if the server is its author. */
function ofServer(decide: Decide): Decide {
  return (row) => (row.created_by_user_id === systemActor.userId ? decide(row) : 'none');
}

/**
 * The part of each event without a run. A new event of automation does not compile without a row; other types without
 * a row have no part.
 */
const parts: Readonly<Record<AutomationEventType, Decide> & Partial<Record<EventType, Decide>>> = {
  'feature-lease-placed': ofServer(ofSafeguard),
  'feature-lease-updated': ofServer(ofSafeguard),
  'feature-lease-stepped-down': ofServer(part('joins')),
  'feature-lease-expiring': ofServer(part('of its hold')),
  'feature-lease-released': part('of its hold'),
  'feature-lease-expired': part('of its hold'),
  'feature-effective-state-changed': ofServer(part('joins')),
  'feature-override-placed': none,
  'feature-override-ended': ofServer(part('joins')),
  'feature-override-outlasted': part('joins'),
  'feature-environment-disabled': ofServer(part('joins')),
  'feature-environment-enabled': ofServer(part('joins')),
  'feature-deleted': part('forgets'),
  'safeguard-triggered': ofServer(part('begins')),
  'safeguard-no-data': ofServer(part('begins')),
  'safeguard-no-data-ended': ofServer(part('joins')),
  'release-plan-waiting': ofServer(part('joins')),
  'release-plan-progressions-paused': ofServer(part('begins')),
  'release-plan-progressions-resumed': ofServer(part('joins')),
  // A plan that advances as planned is no incident by itself.
  'release-plan-milestone-started': ofServer((row) =>
    row.data !== null && startColumn.parse(row.data, row.id).trigger === 'halts' ? 'begins' : 'joins',
  ),
  'action-run-failed': aboutRun,
  'action-run-stopped': aboutRun,
  'action-call-given-up': aboutRun,
  'action-set-blocked': none,
  'action-set-unblocked': none,
  'actions-updated': none,
  'automation-frozen': none,
  'automation-resumed': none,
  'automation-unacknowledged': none,
  'alerts-without-effect': none,
  'alerts-without-effect-ended': none,
  'signal-endpoint-silent': none,
  'signal-endpoint-heard': none,
  'signal-endpoint-updated': none,
  'signals-refused': none,
};

/** The types of the events that may belong to an incident although no run caused them. */
export const typesWithoutRun = (Object.keys(parts) as (keyof typeof parts)[]).filter(
  (type) => parts[type] !== none && parts[type] !== aboutRun,
);

function ofSafeguard(row: EventRow): Part {
  return holdOfEvent(row)?.heldBy.kind === 'safeguard' ? 'begins' : 'none';
}

function partOf(row: EventRow): Part {
  const decide = parts[row.type as EventType] ?? none;
  return row.run_id !== null && decide !== aboutRun ? 'begins' : decide(row);
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
