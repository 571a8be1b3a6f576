import { type NormalizedSignal, type RecognisedFields, type SignalState, signalStates } from '@yardarm/contract';
import { findAt, textAt } from '../../../kernel/payload-path.ts';

type Paths = string | readonly string[];

/** Where a source puts what Yardarm recognises. Of several paths the first with a text counts. */
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
  /** The meaning of further words of this sender, in lower case; null for a word that is no state here. */
  readonly states?: Readonly<Record<string, SignalState | null>>;
}

/** The words of senders by their meaning. A source adds words that mean something else elsewhere. */
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

/** Returns what the paths of `fields` find in a payload; undefined when they find nothing. */
export function recognise(fields: SignalFields, payload: unknown, maxElements: number): NormalizedSignal | undefined {
  // Generic endpoints name no fields: recognition must cost them nothing.
  if (Object.keys(fields).length === 0) return undefined;
  const { elements } = fields;
  const items = elements === undefined ? [] : findAt(payload, elements.path)?.value;
  const known = Array.isArray(items) && elements !== undefined ? items.slice(0, maxElements) : [];
  const ownStates = new Map(Object.entries(fields.states ?? {}));
  const stateOf = (word: string) => (ownStates.has(word) ? ownStates.get(word) : stateOfWord.get(word)) ?? null;
  const normalized = {
    ...readFields(fields, payload, stateOf),
    elements: known.map((item) => readFields(elements as FieldPaths, item, stateOf)),
  };
  const found = Object.values(normalized).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null));
  return found ? normalized : undefined;
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
    fingerprint: cut(first(payload, paths.fingerprint)),
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
  return text.length <= maxText ? text : `${text.slice(0, maxText - 1)}…`.toWellFormed();
}

/** Returns a time as ISO 8601 in UTC: of a text, or of the seconds or milliseconds since 1970. */
function timeOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const number = /^\d{10}(\d{3})?$/.test(text) ? Number(text) * (text.length === 10 ? 1000 : 1) : undefined;
  const time = new Date(number ?? text);
  // The year 1 is Alertmanager's "no time".
  return Number.isNaN(time.getTime()) || time.getTime() < 0 || time.getTime() > latestTime ? null : time.toISOString();
}

/** The end of the year 9999: later times have another form in ISO 8601. */
const latestTime = Date.UTC(9999, 11, 31);

/** Returns a link that a browser may open: of another scheme, it could run a script. */
function linkOf(text: string | undefined): string | null {
  return text !== undefined && text.length <= 2000 && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}
