export { type Count, EventCounter, type EventCounterOptions, quietWindowMs, recordEach } from './event-counter.ts';
export { countFailedLogins, type FailedLogins } from './failed-logins.ts';
export { countRefusedChanges, type RefusedChanges } from './refused-changes.ts';
