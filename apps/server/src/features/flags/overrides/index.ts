export { overrideExpiry } from './expiry.ts';
export type { Override, Place } from './override.ts';
export { presentOverride } from './present.ts';
export { overrideHandlers } from './routes.ts';
export { listOverrides, overridesOn } from './store.ts';
