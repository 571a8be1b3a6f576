import { recognise } from './recognition/index.ts';
import type { ReadHeader } from './signatures/index.ts';
import type { SignalSource } from './sources/index.ts';

/**
 * Returns what a source recognises in a payload as JSON text; null when it recognises nothing. At most `maxElements`
 * elements are read.
 */
export function normalizedText(
  source: SignalSource,
  payload: unknown,
  maxElements: number,
  header: ReadHeader,
): string | null {
  const normalized = recognise(source.fields, source.subject?.(payload, header) ?? payload, maxElements);
  return normalized === undefined ? null : JSON.stringify(normalized);
}
