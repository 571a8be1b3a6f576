/** Creates the index of the events that have a reason, for searches by reason. */
export function eventReason(): readonly string[] {
  return ['create index events_by_reason on events (id) where reason is not null'];
}
