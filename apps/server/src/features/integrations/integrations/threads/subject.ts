import type { EventType } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';

/** The holds of one subject: of a set of actions with a key in a project, or one hold of a person. */
export type HoldsOfSubject =
  | { readonly project: string; readonly actionSetId: number; readonly key: string }
  | { readonly id: number };

/**
 * The subject of an event: a state that begins and ends, such as a hold. Messages about one subject belong together.
 * `repeats`: the event reports a problem that has no end of its own, such as a failed run.
 */
export interface Subject {
  readonly key: string;
  readonly role: 'begins' | 'continues' | 'ends' | 'repeats';
  /** Set when the subject is open while any of these holds exists. */
  readonly holds?: HoldsOfSubject;
}

type Recorded = Pick<EventRow, 'id' | 'type' | 'data' | 'pre_data' | 'project' | 'feature_name' | 'environment'>;

/** The fields of a hold that determine its subject. Events of earlier versions have them too. */
const hold = z.object({
  id: z.number(),
  heldBy: z.object({ kind: z.string(), key: z.string(), actionSetId: z.number().nullish() }),
});
const effective = z.object({ lease: hold.nullable() });
const ofId = z.object({
  id: z.number().nullable(),
  tokenId: z.number().nullish(),
  reasons: z.array(z.string()).nullish(),
});
const ofSafeguard = z.object({ id: z.string() });
const ofSet = z.object({ actionSetId: z.number() });

const subjects: Partial<Record<EventType, (event: Recorded) => Subject | undefined>> = {
  'feature-lease-placed': holdIn('data', 'begins'),
  'feature-lease-updated': holdIn('data', 'continues'),
  'feature-lease-stepped-down': holdIn('data', 'continues'),
  'feature-lease-expiring': holdIn('data', 'continues'),
  'feature-lease-released': holdIn('pre_data', 'ends'),
  'feature-lease-expired': holdIn('pre_data', 'ends'),
  'feature-effective-state-changed': (event) => {
    const held = read('data', effective, event)?.lease ?? read('pre_data', effective, event)?.lease;
    return held == null ? undefined : holdSubject(event, held, 'continues');
  },
  'feature-override-placed': (event) => ({ key: `override:${placeOf(event)}`, role: 'begins' }),
  'feature-override-updated': (event) => ({ key: `override:${placeOf(event)}`, role: 'continues' }),
  'feature-override-ended': (event) => ({ key: `override:${placeOf(event)}`, role: 'ends' }),
  'feature-override-outlasted': (event) => ({ key: `outlasted:${placeOf(event)}`, role: 'repeats' }),
  'safeguard-no-data': safeguardIn('begins'),
  'safeguard-no-data-ended': safeguardIn('ends'),
  'action-run-failed': setIn('set', 'repeats'),
  'action-run-stopped': setIn('set', 'repeats'),
  'action-call-given-up': setIn('set', 'repeats'),
  'action-set-blocked': setIn('rights-of-set', 'begins'),
  'action-set-unblocked': setIn('rights-of-set', 'ends'),
  'automation-frozen': () => ({ key: 'freeze', role: 'begins' }),
  'automation-resumed': () => ({ key: 'freeze', role: 'ends' }),
  'signal-endpoint-silent': endpointIn('silence', 'begins'),
  'signal-endpoint-heard': endpointIn('silence', 'ends'),
  'alerts-without-effect': endpointIn('without-effect', 'begins'),
  'alerts-without-effect-ended': endpointIn('without-effect', 'ends'),
  'signals-refused': (event) => {
    const { id, tokenId, reasons } = read('data', ofId, event) ?? { id: null };
    return { key: `refused:${id ?? 'other'}:${tokenId ?? ''}:${reasons?.join(',') ?? ''}`, role: 'repeats' };
  },
};

/** The types of the events that have a subject. */
export const typesWithSubject = Object.keys(subjects) as readonly EventType[];

/** Returns the subject of an event; undefined for an event that stands alone. */
export function subjectOf(event: Recorded): Subject | undefined {
  return subjects[event.type as EventType]?.(event);
}

function read<T>(column: 'data' | 'pre_data', schema: z.ZodType<T>, event: Recorded): T | undefined {
  const text = event[column];
  return text === null ? undefined : jsonColumn<T>(`events.${column}`, schema).parse(text, event.id);
}

function holdIn(column: 'data' | 'pre_data', role: Subject['role']) {
  return (event: Recorded) => {
    const held = read(column, hold, event);
    return held === undefined ? undefined : holdSubject(event, held, role);
  };
}

function holdSubject({ project }: Recorded, { id, heldBy }: z.infer<typeof hold>, role: Subject['role']): Subject {
  const { kind, key, actionSetId } = heldBy;
  if (kind !== 'run' || actionSetId == null || project === null) return { key: `hold:${id}`, role, holds: { id } };
  return { key: `holds:${actionSetId}:${project}:${key}`, role, holds: { project, actionSetId, key } };
}

function setIn(what: string, role: Subject['role']) {
  return (event: Recorded): Subject | undefined => {
    const set = read('data', ofSet, event);
    return set === undefined ? undefined : { key: `${what}:${set.actionSetId}`, role };
  };
}

function endpointIn(what: string, role: Subject['role']) {
  return (event: Recorded): Subject | undefined => {
    const endpoint = read('data', ofId, event);
    return endpoint === undefined ? undefined : { key: `${what}:${endpoint.id}`, role };
  };
}

function safeguardIn(role: Subject['role']) {
  return (event: Recorded): Subject | undefined => {
    const safeguard = read('data', ofSafeguard, event);
    return safeguard === undefined ? undefined : { key: `no-data:${safeguard.id}`, role };
  };
}

function placeOf({ project, feature_name: flag, environment }: Recorded): string {
  return `${project}/${flag}/${environment}`;
}
