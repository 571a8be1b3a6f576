import { recognise } from './recognition/index.ts';
import type { ReadHeader } from './signatures/index.ts';
import type { SignalSource } from './sources/index.ts';

/**
 * Returns the fields that a source recognises in a payload, as JSON text; null when it recognises none. With a
 * `sender`, its name is a part of each fingerprint.
 */
export function normalizedText(
  source: SignalSource,
  payload: unknown,
  header: ReadHeader,
  sender: string | null,
): string | null {
  const normalized = recognise(source.fields, source.subject?.(payload, header) ?? payload, sender);
  return normalized === undefined ? null : JSON.stringify(normalized);
}
