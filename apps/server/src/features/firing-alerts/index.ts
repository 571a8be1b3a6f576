export { AlertTracker } from './tracker.ts';
export { type AlertWithoutEffect, alertsWithoutEffect } from './without-effect.ts';
