import { hash } from 'node:crypto';
import { findAt } from '#kernel/payload-path.ts';
import { firstText, type Paths } from './texts.ts';
import { timeOf } from './times.ts';

/**
 * The meaning of the start of a thing, which its sender reports:
 * - `occurrence`: each time that the thing fires has a start of its own, which its end repeats
 * - `report`: the time of the report itself, so that a later report has a later start
 * - `birth`: the thing keeps its start when it fires again; `changedAt` leads to the time of the report, if there is
 *   one
 * - `none`: the sender reports no time
 */
type Start =
  | { readonly start: 'occurrence' | 'report' | 'none' }
  | { readonly start: 'birth'; readonly changedAt: Paths | null };

/** A part of a name: the text at a path, or a hash of the object at a path. */
type NamePart = Paths | { readonly hashOf: string };

/** A kind of things that a source reports about. */
type Kind = Start & {
  /**
   * The word before the name in the fingerprint, or the path to it, because another kind may use the same name. Null
   * where names are unique among all kinds of the source.
   */
  readonly kind: string | { readonly at: string } | null;
  /** The values at paths that a payload of this kind has: one of those listed, or any text where none is listed. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  /** The parts that name a thing together. A payload without one of them is not of this kind. */
  readonly name: readonly [NamePart, ...NamePart[]];
  /** Whether the thing has a state, as an alert, a deployment or a check has; a comment has none. */
  readonly hasState: boolean;
};

/** Which things a source reports about (ADR 96). */
export interface Identity {
  /** The kinds in order: a payload is of the first that fits. */
  readonly kinds: readonly Kind[];
  /** Whether a payload of none of the kinds has a state. */
  readonly otherwise: 'state' | 'no state';
  /** The paths of the fingerprint in earlier versions, under which holds may still be stored. */
  readonly former?: Paths;
}

/** A thing that a payload reports about. */
interface Thing {
  /** The kind and the name of the thing; undefined when nothing names it. */
  readonly name: string | undefined;
  readonly hasState: boolean;
  /** The time that orders the reports about the thing, as ISO 8601; null when the sender reports none. */
  readonly occurredAt: string | null;
}

/** Returns the thing that a payload reports about. `startedAt` is the start that the sender reports. */
export function thingOf({ kinds, otherwise }: Identity, payload: unknown, startedAt: string | null): Thing {
  for (const kind of kinds) {
    const name = nameOf(kind, payload);
    if (name !== undefined) return { name, hasState: kind.hasState, occurredAt: occurredAt(kind, payload, startedAt) };
  }
  return { name: undefined, hasState: otherwise === 'state', occurredAt: null };
}

function nameOf({ kind, when = {}, name }: Kind, payload: unknown): string | undefined {
  const fits = Object.entries(when).every(([path, values]) => {
    const text = firstText(payload, path);
    return text !== undefined && (values.length === 0 || values.includes(text));
  });
  if (!fits) return undefined;
  const word = typeof kind === 'object' && kind !== null ? firstText(payload, kind.at) : (kind ?? '');
  const parts = name.map((part) => partOf(part, payload));
  if (word === undefined || parts.some((part) => part === undefined)) return undefined;
  const [only] = parts;
  if (word === '' && parts.length === 1) return only;
  return [word, ...parts]
    .filter((part) => part !== '')
    .map(escaped)
    .join(' ');
}

function partOf(part: NamePart, payload: unknown): string | undefined {
  if (typeof part === 'string' || !('hashOf' in part)) return firstText(payload, part);
  const value = findAt(payload, part.hashOf)?.value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? hash('sha256', canonical(value), 'hex').slice(0, 32) : undefined;
}

/** Returns JSON that does not depend on the order of keys. */
function canonical(value: object): string {
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a part in which no space can be taken for the one between parts. */
function escaped(part: string | undefined): string {
  return (part ?? '').replaceAll('%', '%25').replaceAll(' ', '%20');
}

function occurredAt(kind: Kind, payload: unknown, startedAt: string | null): string | null {
  if (kind.start === 'none') return null;
  if (kind.start !== 'birth') return startedAt;
  return kind.changedAt === null ? null : timeOf(firstText(payload, kind.changedAt));
}
