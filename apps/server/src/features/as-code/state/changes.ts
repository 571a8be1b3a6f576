import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '@yardarm/contract';
import type { PlanEvent } from '#features/flags/definitions/index.ts';

/** A difference between the current and the desired state. Applying it records an event of this type. */
export type StateChange = FlagChange | OtherChange;

/** A change of a flag, its release plans or its safeguards, or the archiving of the flag. */
export interface FlagChange extends ChangeFields {
  readonly kind: 'flag';
  readonly type: PlanEvent['type'] | 'feature-archived' | ReleasePlanEvent | SafeguardEvent;
  /**
   * Set for a safeguard of a release plan: changing it requires the permission to change the plan, instead of the
   * permission for safeguards of a flag. Answers omit this field.
   */
  readonly ofPlan?: true;
}

/** The types of release-plan events that are recorded when a state is applied. */
type ReleasePlanEvent =
  | 'release-plan-added'
  | 'release-plan-milestone-started'
  | 'release-plan-updated'
  | 'release-plan-removed'
  | 'milestone-progression-created'
  | 'milestone-progression-updated'
  | 'milestone-progression-deleted';

type SafeguardEvent = 'safeguard-changed' | 'safeguard-deleted';

interface OtherChange extends ChangeFields {
  readonly type: EventType;
  readonly kind:
    | 'project'
    | 'segment'
    | 'context-field'
    | 'tag-type'
    | 'strategy'
    | 'action-set'
    | 'environment'
    | 'tag'
    | 'user'
    | 'api-token'
    | 'release-template';
}

interface ChangeFields {
  /** The name of the flag, segment, field or type; the id of a project. */
  readonly name: string;
  readonly project: string | null;
  readonly environment: string | null;
  /**
   * The strategy, tag, link, parent, release plan, milestone or safeguard of a flag that the change affects; null for
   * the flag itself and for other entities.
   */
  readonly item: string | null;
  readonly fields: readonly FieldChange[];
  /** A sentence for people about the change. It is no part of the fingerprint of a plan. */
  readonly warning?: string;
}

/** `before` is absent when the field had no value, `after` when it will have none. */
export interface FieldChange {
  /** Examples: `description` or `parameters.rollout`. */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Event fields that are not compared: the server sets them, or the preview of the changes shows them elsewhere. */
const ignoredFields: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'createdBy',
  'lastSeenAt',
  'archived',
  'archivedAt',
]);

/** Compares the data of an event with the data before, field by field. Treats empty and missing values as equal. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const [oldFields, newFields] = [flatten(before), flatten(after)];
  const fields = [...new Set([...oldFields.keys(), ...newFields.keys()])];
  return fields.flatMap((field) => {
    const [from, to] = [oldFields.get(field), newFields.get(field)];
    if (isDeepStrictEqual(from, to) || (isEmpty(from) && isEmpty(to))) return [];
    // Skip the default values of a new entity.
    if (before === undefined && (to === false || field === 'sortOrder')) return [];
    return [{ field, ...(isEmpty(from) ? {} : { before: from }), ...(isEmpty(to) ? {} : { after: to }) }];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Flattens an object by one level: nested fields get dotted names. */
function flatten(value: unknown, prefix = ''): Map<string, unknown> {
  const members = new Map<string, unknown>();
  if (typeof value !== 'object' || value === null) return members;
  for (const [key, member] of Object.entries(value)) {
    if (prefix === '' && ignoredFields.has(key)) continue;
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (isObject && prefix === '') for (const [name, value] of flatten(member, `${key}.`)) members.set(name, value);
    else members.set(prefix + key, member);
  }
  return members;
}

/** Returns the readable name of the part of a flag that an event affects. */
export function itemName(type: PlanEvent['type'], data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const { name, title, url, feature, type: tagType, value } = data as Readonly<Record<string, unknown>>;
  if (type.startsWith('feature-strategy-')) return title === null ? String(name) : `${name} (${title})`;
  if (type === 'feature-tagged' || type === 'feature-untagged') return `${tagType}:${value}`;
  if (type.startsWith('feature-link-')) return String(url);
  if (type.startsWith('feature-dependency-')) return String(feature);
  return null;
}

/** Replaces segment ids in event data by names, for readers. */
export function withSegmentNames(data: unknown, segmentNames: ReadonlyMap<number, string>): unknown {
  if (typeof data !== 'object' || data === null || !('segments' in data)) return data;
  const segments = (data.segments as readonly number[]).map((id) => segmentNames.get(id) ?? String(id));
  return { ...data, segments };
}
