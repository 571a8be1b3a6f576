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
