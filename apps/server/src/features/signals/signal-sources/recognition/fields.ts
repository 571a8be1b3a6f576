import { hash } from 'node:crypto';
import { type NormalizedSignal, type RecognisedFields, type SignalState, signalStates } from '@yardarm/contract';
import { cutText, startOfText } from '#kernel/cut-text.ts';
import { Problem } from '#kernel/errors.ts';
import { findAt } from '#kernel/payload-path.ts';
import { type Identity, thingOf } from './identity.ts';
import { firstText, type Paths } from './texts.ts';
import { timeOf } from './times.ts';

/** The paths of the fields that Yardarm recognises, and what names the thing that they describe. */
export interface FieldPaths {
  readonly identity: Identity;
  readonly state?: Paths | undefined;
  readonly title?: Paths | undefined;
  readonly severity?: Paths | undefined;
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
  failed: ['failure', 'failed', 'error', 'timed_out'],
};
const stateOfWord: ReadonlyMap<string, SignalState> = new Map(
  signalStates.flatMap((state) => words[state].map((word) => [word, state] as const)),
);

const maxText = 300;
/** The most elements of a signal, so that small bodies do not become large rows. Real alerts in 1 MB are fewer. */
const maxElements = 10_000;

/**
 * Returns the fields that the paths of `fields` lead to in a payload; undefined when they lead to none. Reads all
 * elements, because each may be the end of an alert. Throws a 400 for more than 10,000 elements.
 */
export function recognise(
  fields: SignalFields | null,
  payload: unknown,
  sender: string | null,
): NormalizedSignal | undefined {
  // Generic endpoints usually name no fields: recognition must cost them nothing.
  if (fields === null) return sender === null ? undefined : { ...nothing, sender, elements: [] };
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
  const whole = readFields(fields, payload, stateOf, sender);
  const normalized = {
    // The start of a group is that of whichever alert comes first: it orders nothing.
    ...(known.length === 0 ? whole : { ...whole, occurredAt: null }),
    ...leftOut(payload, fields.truncated),
    ...(sender === null ? {} : { sender }),
    elements: known.map((item) => readFields(elements as FieldPaths, item, stateOf, sender)),
  };
  const found = Object.values(normalized).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null));
  return found ? normalized : undefined;
}

/** The fields of a payload in which nothing is recognised. */
const nothing = {
  ...{ state: null, title: null, severity: null, fingerprint: null },
  ...{ startedAt: null, occurredAt: null, link: null },
};

/** Returns the number of elements that the sender left out, if it left out any. */
function leftOut(payload: unknown, path: string | undefined): Pick<NormalizedSignal, 'truncatedAlerts'> {
  const count = path === undefined ? 0 : findAt(payload, path)?.value;
  return Number.isSafeInteger(count) && Number(count) > 0 ? { truncatedAlerts: Number(count) } : {};
}

function readFields(
  paths: FieldPaths,
  payload: unknown,
  stateOf: (word: string) => SignalState | null,
  sender: string | null,
): RecognisedFields {
  const startedAt = timeOf(firstText(payload, paths.startedAt));
  const thing = thingOf(paths.identity, payload, startedAt);
  const fingerprint = distinct(thing.name);
  return {
    state: thing.hasState ? stateOf(firstText(payload, paths.state)?.toLowerCase() ?? '') : null,
    title: cut(firstText(payload, paths.title)),
    severity: cut(firstText(payload, paths.severity)),
    fingerprint: ofSender(sender, fingerprint),
    ...formerOf(paths.identity, payload, fingerprint),
    startedAt,
    occurredAt: thing.occurredAt,
    link: linkOf(firstText(payload, paths.link)),
  };
}

/** Returns a fingerprint with the name of its sender, if the endpoint tells senders apart. */
function ofSender(sender: string | null, fingerprint: string | null): string | null {
  return sender === null || fingerprint === null
    ? fingerprint
    : `sender ${encodeURIComponent(sender.toWellFormed())}/${fingerprint}`;
}

/** Returns the fingerprint that earlier versions recognised, if it was another one, or none. */
function formerOf({ former }: Identity, payload: unknown, fingerprint: string | null) {
  const earlier = former === undefined ? fingerprint : distinct(firstText(payload, former));
  return earlier === fingerprint ? {} : { formerFingerprint: earlier };
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

/** Returns a link that a browser may open: http or https only, because a link of another scheme could run a script. */
function linkOf(text: string | undefined): string | null {
  if (text === undefined || text.length > 2000 || !/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? storable(text) : null;
}
