/** A request to a route and its answer, as a test recorded them. */
export interface RouteExample {
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** A body that is sent as JSON. */
    readonly body?: unknown;
    /** A body that is sent as it is. */
    readonly text?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly status: number;
  /** The body: a JSON value, or the text of another media type. Absent when there is none. */
  readonly answer?: unknown;
}
