import { createHash } from 'node:crypto';
import { textAt } from '../../../kernel/payload-path.ts';
import type { PayloadView } from './elements.ts';

const maxLength = 200;

/**
 * Returns the condition of a view of a payload: the fingerprint of its alert, which the source of the endpoint
 * recognised or the element contains. Undefined without a fingerprint. A long fingerprint is returned as its SHA-256.
 */
export function conditionOf({ payload, element }: PayloadView): string | undefined {
  const paths =
    element === null
      ? ['normalized.fingerprint']
      : [`normalized.elements[${element}].fingerprint`, 'item.fingerprint', 'normalized.fingerprint'];
  const fingerprint = paths.map((path) => textAt(payload, path)).find((text) => text !== undefined && text !== '');
  return fingerprint === undefined ? undefined : storableCondition(fingerprint);
}

/** Returns a fingerprint as a condition: a long one, or one that a database cannot store, as its SHA-256. */
export function storableCondition(fingerprint: string): string {
  const isStorable = fingerprint.length <= maxLength && !fingerprint.includes('\0') && fingerprint.isWellFormed();
  return isStorable ? fingerprint : createHash('sha256').update(fingerprint).digest('hex');
}
