/** The choices of the page that connects an application, as stored in its address. */
export interface ConnectSearch {
  /** The id of a language; absent for the first. */
  readonly language?: string;
  readonly environment?: string;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readConnectSearch({ language, environment }: Readonly<Record<string, unknown>>): ConnectSearch {
  return {
    ...(typeof language === 'string' ? { language } : {}),
    ...(typeof environment === 'string' ? { environment } : {}),
  };
}
