import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '@yardarm/contract';

/** One difference between what is and what is wanted; making it real records an event of this type. */
export interface StateChange {
  readonly type: EventType;
  readonly kind: 'project' | 'flag' | 'segment' | 'context-field' | 'tag-type';
  /** Of the flag, segment, field or type; the id of a project. */
  readonly name: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly fields: readonly FieldChange[];
}

/** `before` is absent where there was nothing, `after` where there will be nothing. */
export interface FieldChange {
  /** Such as `description` or `parameters.rollout`. */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What an event says that nobody chose, or that is told otherwise. */
const unspoken: ReadonlySet<string> = new Set(['id', 'createdAt', 'createdBy', 'lastSeenAt', 'archived', 'archivedAt']);

/** What differs between the data of an event and that of before, field by field. What is empty on the one side is not told. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [spread(before), spread(after)];
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return fields.flatMap((field) => {
    const [from, to] = [old.get(field), now.get(field)];
    if (isDeepStrictEqual(from, to) || (isNothing(from) && isNothing(to))) return [];
    // Where there was nothing, what is not so and where something stands are what everybody expects.
    if (before === undefined && (to === false || field === 'sortOrder')) return [];
    return [{ field, ...(isNothing(from) ? {} : { before: from }), ...(isNothing(to) ? {} : { after: to }) }];
  });
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The members of an object, and those of objects in it; no deeper. */
function spread(value: unknown, prefix = ''): Map<string, unknown> {
  const members = new Map<string, unknown>();
  if (typeof value !== 'object' || value === null) return members;
  for (const [key, member] of Object.entries(value)) {
    if (prefix === '' && unspoken.has(key)) continue;
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (isObject && prefix === '') for (const [inner, one] of spread(member, `${key}.`)) members.set(inner, one);
    else members.set(prefix + key, member);
  }
  return members;
}
