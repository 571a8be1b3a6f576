import { createHash } from 'node:crypto';
import type { NormalizedSignal, RecognisedFields } from '@yardarm/contract';
import type { HeldAlert } from '#features/flags/held-state/index.ts';
import { textAt } from '#kernel/payload-path.ts';
import type { PayloadView } from './elements.ts';

const maxLength = 200;

/**
 * Returns the condition of a view of a payload: the fingerprint of its alert, which the source of the endpoint
 * recognised or the element contains. Undefined without a fingerprint. A long fingerprint is returned as its SHA-256.
 */
export function conditionOf({ payload, element }: PayloadView): string | undefined {
  const recognised = element === null ? 'normalized.fingerprint' : `normalized.elements[${element}].fingerprint`;
  const fingerprint =
    filled(payload, recognised) ??
    (element === null ? undefined : (ofItem(payload) ?? filled(payload, 'normalized.fingerprint')));
  return fingerprint === undefined ? undefined : storableCondition(fingerprint);
}

function filled(payload: unknown, path: string): string | undefined {
  const text = textAt(payload, path);
  return text === '' ? undefined : text;
}

/** Returns the fingerprint that an element contains, with its sender where the endpoint tells senders apart. */
function ofItem(payload: unknown): string | undefined {
  const [fingerprint, sender] = [filled(payload, 'item.fingerprint'), filled(payload, 'normalized.sender')];
  return fingerprint === undefined || sender === undefined
    ? fingerprint
    : `sender ${encodeURIComponent(sender)}/${fingerprint}`;
}

/**
 * Returns the alert that a view of a payload reports about: its condition, and the time that orders its reports.
 * Undefined without a fingerprint.
 */
export function alertOf(view: PayloadView): HeldAlert | undefined {
  const condition = conditionOf(view);
  if (condition === undefined) return undefined;
  const part = view.element === null ? 'normalized' : `normalized.elements[${view.element}]`;
  const at = textAt(view.payload, `${part}.occurredAt`);
  return { condition, occurredAt: at === undefined ? null : Date.parse(at) };
}

/**
 * Returns a view with the fingerprints that earlier versions recognised, under which holds may still be stored;
 * undefined when they are the same.
 */
export function formerView({ payload, element, forEach }: PayloadView): PayloadView | undefined {
  if (typeof payload !== 'object' || payload === null || !('normalized' in payload)) return undefined;
  const { normalized } = payload as { readonly normalized: NormalizedSignal | null };
  if (normalized === null || normalized === undefined) return undefined;
  const part = element === null ? undefined : normalized.elements?.[element];
  if (normalized.formerFingerprint === undefined && part?.formerFingerprint === undefined) return undefined;
  const former = { ...withFormer(normalized), elements: [] as RecognisedFields[] };
  if (element === null || part === undefined) return { element, forEach, payload: { ...payload, normalized: former } };
  former.elements[element] = withFormer(part);
  const item = forEach === 'normalized.elements' ? { item: former.elements[element] } : {};
  return { element, forEach, payload: { ...payload, normalized: former, ...item } };
}

function withFormer<F extends RecognisedFields>(fields: F): F {
  const { formerFingerprint: former } = fields;
  return former === undefined ? fields : { ...fields, fingerprint: former };
}

/** Returns a fingerprint as a condition: a long one, or one that a database cannot store, as its SHA-256. */
export function storableCondition(fingerprint: string): string {
  const isStorable = fingerprint.length <= maxLength && !fingerprint.includes('\0') && fingerprint.isWellFormed();
  return isStorable ? fingerprint : createHash('sha256').update(fingerprint).digest('hex');
}
