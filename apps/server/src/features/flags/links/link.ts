/** Where people find more about a flag. */
export interface Link {
  /** A UUID. */
  readonly id: string;
  readonly featureName: string;
  readonly url: string;
  readonly title: string | null;
}

/** A link as the event log keeps it. */
export function linkEventData({ url, title }: Link): Record<string, unknown> {
  return { url, ...(title === null ? {} : { title }) };
}
