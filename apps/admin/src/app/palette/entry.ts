import type { ReactNode } from 'react';

/** A search result or command of the palette. */
export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** The maximum number of entries in a group. */
export const maxResults = 7;

/** Returns the entries that contain every word of the query: first those whose label does. */
export function matching(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = entries.filter(({ label, description = '' }) => hasAll(`${label} ${description}`));
  return found.toSorted((a, b) => Number(hasAll(b.label)) - Number(hasAll(a.label)));
}
