/**
 * Two requests of a sender: an alert fires, and the same alert is resolved. Placeholders are filled in when the sample
 * is sent: `{startedAt}` and `{now}` with times in ISO 8601, and `{id}` with an id that no two requests share.
 */
export interface SignalSample {
  readonly firing: object;
  readonly resolved: object;
}
