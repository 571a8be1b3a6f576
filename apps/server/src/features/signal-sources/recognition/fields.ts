import { hash } from 'node:crypto';
import { type NormalizedSignal, type RecognisedFields, type SignalState, signalStates } from '@yardarm/contract';
import { cutText, startOfText } from '../../../kernel/cut-text.ts';
import { Problem } from '../../../kernel/errors.ts';
import { findAt, textAt } from '../../../kernel/payload-path.ts';

type Paths = string | readonly string[];

/**
 * The paths of the fields that Yardarm recognises. Of several paths, the first that leads to a non-empty text is used.
 */
export interface FieldPaths {
  readonly state?: Paths | undefined;
  readonly title?: Paths | undefined;
  readonly severity?: Paths | undefined;
  readonly fingerprint?: Paths | undefined;
  readonly startedAt?: Paths | undefined;
  readonly link?: Paths | undefined;
}

/** The fields of a payload, and those of the elements of one of its arrays. */
export interface SignalFields extends FieldPaths {
  readonly elements?: ({ readonly path: string } & FieldPaths) | undefined;
  /** The path of the number of elements that the sender left out. */
  readonly truncated?: string;
  /**
   * The states of further words of this sender, in lower case: for example `degraded` means `failed`. Null for a word
   * that is no state to this sender.
   */
  readonly states?: Readonly<Record<string, SignalState | null>>;
}

/** The words that senders use for each state. A source overrides a word that means something else to its sender. */
const words: Readonly<Record<SignalState, readonly string[]>> = {
  firing: ['firing', 'alerting', 'alarm', 'triggered', 'activated', 'open', 'down'],
  resolved: ['resolved', 'ok', 'closed', 'recovered', 'normal', 'deactivated', 'up'],
  pending: ['pending', 'queued', 'waiting', 'requested', 'in_progress', 'running', 'acknowledged'],
  succeeded: ['success', 'succeeded'],
  failed: ['failure', 'failed', 'error', 'canceled', 'cancelled', 'timed_out'],
};
const stateOfWord: ReadonlyMap<string, SignalState> = new Map(
  signalStates.flatMap((state) => words[state].map((word) => [word, state] as const)),
);

const maxText = 300;
/** The most elements of a signal, so that small bodies do not become large rows. Alerts of a real size are fewer in 1 MB. */
const maxElements = 10_000;

/**
 * Returns the fields that the paths of `fields` lead to in a payload; undefined when they lead to none. Reads all
 * elements, because each may be the end of an alert. Throws a 400 for more than 10,000 elements.
 */
export function recognise(fields: SignalFields, payload: unknown): NormalizedSignal | undefined {
  // Generic endpoints usually name no fields: recognition must cost them nothing.
  if (Object.keys(fields).length === 0) return undefined;
  const { elements } = fields;
  const items = elements === undefined ? [] : findAt(payload, elements.path)?.value;
  const known = Array.isArray(items) ? items : [];
  if (known.length > maxElements)
    throw new Problem(
      'BadDataError',
      `The array at ${elements?.path} has ${known.length} elements. At most ${maxElements} are allowed.`,
    );
  const ownStates = new Map(Object.entries(fields.states ?? {}));
  const stateOf = (word: string) => (ownStates.has(word) ? ownStates.get(word) : stateOfWord.get(word)) ?? null;
  const normalized = {
    ...readFields(fields, payload, stateOf),
    ...leftOut(payload, fields.truncated),
    elements: known.map((item) => readFields(elements as FieldPaths, item, stateOf)),
  };
  const found = Object.values(normalized).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null));
  return found ? normalized : undefined;
}

/** Returns the number of elements that the sender left out, if it left out any. */
function leftOut(payload: unknown, path: string | undefined): Pick<NormalizedSignal, 'truncatedAlerts'> {
  const count = path === undefined ? 0 : findAt(payload, path)?.value;
  return Number.isSafeInteger(count) && Number(count) > 0 ? { truncatedAlerts: Number(count) } : {};
}

function readFields(
  paths: FieldPaths,
  payload: unknown,
  stateOf: (word: string) => SignalState | null,
): RecognisedFields {
  return {
    state: stateOf(first(payload, paths.state)?.toLowerCase() ?? ''),
    title: cut(first(payload, paths.title)),
    severity: cut(first(payload, paths.severity)),
    fingerprint: distinct(first(payload, paths.fingerprint)),
    startedAt: timeOf(first(payload, paths.startedAt)),
    link: linkOf(first(payload, paths.link)),
  };
}

function first(payload: unknown, paths: Paths = []): string | undefined {
  for (const path of [paths].flat()) {
    const text = textAt(payload, path)?.trim();
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

function cut(text: string | undefined): string | null {
  if (text === undefined) return null;
  return storable(cutText(text, maxText));
}

/**
 * Returns a text with U+FFFD in place of U+0000 and unpaired surrogates: the JSON operators of PostgreSQL fail for the
 * whole row that contains either.
 */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/**
 * Returns a fingerprint. A long one, or one with characters that are replaced, ends with its SHA-256: the group keys of
 * Alertmanager often differ only at the end, and two alerts with one fingerprint would share a hold, which the end of
 * either alert would release.
 */
function distinct(text: string | undefined): string | null {
  if (text === undefined || (text.length <= maxText && text === storable(text))) return text ?? null;
  // JSON has unpaired surrogates as escapes, so their hashes differ.
  const digest = hash('sha256', JSON.stringify(text), 'hex');
  return storable(`${startOfText(text, maxText - digest.length - 1)}…${digest}`);
}

/**
 * Returns a time as ISO 8601 in UTC, from a date as text or from seconds or milliseconds since 1970; null when invalid.
 */
function timeOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const number = /^\d{10}(\d{3})?$/.test(text) ? Number(text) * (text.length === 10 ? 1000 : 1) : undefined;
  const time = new Date(number ?? text);
  // A time before 1970 is invalid: Alertmanager sends the year 1 for "no time".
  return Number.isNaN(time.getTime()) || time.getTime() < 0 || time.getTime() > latestTime ? null : time.toISOString();
}

/** The end of the year 9999: ISO 8601 writes later years with more digits. */
const latestTime = Date.UTC(9999, 11, 31);

/** Returns a link that a browser may open: http or https only, because a link of another scheme could run a script. */
function linkOf(text: string | undefined): string | null {
  if (text === undefined || text.length > 2000 || !/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? storable(text) : null;
}
