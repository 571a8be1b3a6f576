/** Where people find more about a flag. */
export interface Link {
  /** A UUID. */
  readonly id: string;
  readonly featureName: string;
  readonly url: string;
  readonly title: string | null;
}

/** Most links of one flag (unleash-facts 6.2). */
export const maxLinks = 10;

/** A title of nothing but blanks is none. */
export function titleOf({ title }: { readonly title?: string | null | undefined }): string | null {
  return title?.trim() || null;
}

/** A link as the event log keeps it. */
export function linkEventData({ url, title }: Link): Record<string, unknown> {
  return { url, ...(title === null ? {} : { title }) };
}
