import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '@yardarm/contract';

/** One difference between what is and what is wanted; making it real records an event of this type. */
export interface StateChange {
  readonly type: EventType;
  readonly kind:
    | 'project'
    | 'flag'
    | 'segment'
    | 'context-field'
    | 'tag-type'
    | 'strategy'
    | 'action-set'
    | 'environment'
    | 'tag'
    | 'user'
    | 'api-token';
  /** Of the flag, segment, field or type; the id of a project. */
  readonly name: string;
  readonly project: string | null;
  readonly environment: string | null;
  /** Which strategy, tag, link or parent of a flag this is about; null for the flag itself and for other things. */
  readonly item: string | null;
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

/** What people call the part of a flag that an event is about. */
export function itemOf(type: StateChange['type'], data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const { name, title, url, feature, type: tagType, value } = data as Readonly<Record<string, unknown>>;
  if (type.startsWith('feature-strategy-')) return title === null ? String(name) : `${name} (${title})`;
  if (type === 'feature-tagged' || type === 'feature-untagged') return `${tagType}:${value}`;
  if (type.startsWith('feature-link-')) return String(url);
  if (type.startsWith('feature-dependency-')) return String(feature);
  return null;
}
