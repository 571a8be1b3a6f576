export { overrideExpiry } from './expiry.ts';
export { presentOverride } from './present.ts';
export { overrideHandlers } from './routes.ts';
export { listOverrides, overridesOn } from './store.ts';
