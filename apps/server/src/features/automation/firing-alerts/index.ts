export { askAfterOverrides } from './outlasted-overrides.ts';
export { wordsOf } from './queries.ts';
export { tellAlertsWithoutEffect, toldEndpoints } from './tell-without-effect.ts';
export { AlertTracker } from './tracker.ts';
export { type AlertWithoutEffect, alertsWithoutEffect } from './without-effect.ts';
