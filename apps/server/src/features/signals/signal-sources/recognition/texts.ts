import { textAt } from '#kernel/payload-path.ts';

/** Paths in a payload. Of several, the first that leads to a text is used. */
export type Paths = string | readonly string[];

/** The text that a Go template writes for a missing field. */
const missing = '<no value>';

/** Returns the first text at paths that is neither blank nor the mark of a missing field, without spaces around it. */
export function firstText(payload: unknown, paths: Paths = []): string | undefined {
  for (const path of [paths].flat()) {
    const text = textAt(payload, path)?.trim();
    if (text !== undefined && text !== '' && text !== missing) return text;
  }
  return undefined;
}
