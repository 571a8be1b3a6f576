/** What the event log shows, as the address of the page has it. */
export interface EventSearch {
  readonly query?: string;
  readonly feature?: string;
  readonly project?: string;
}

/** Reads the address; what means nothing is left out. */
export function readEventSearch(search: Readonly<Record<string, unknown>>): EventSearch {
  const names = ['query', 'feature', 'project'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}
