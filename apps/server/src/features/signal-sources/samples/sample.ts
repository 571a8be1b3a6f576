/**
 * Two requests of a sender: an alert fires, and the same alert is resolved. `{startedAt}` and `{now}` stand for times
 * in ISO 8601, and `{id}` for an id that no two requests share.
 */
export interface SignalSample {
  readonly firing: object;
  readonly resolved: object;
}
