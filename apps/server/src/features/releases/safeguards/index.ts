export { checkSafeguard, removeSafeguard, safeguardKey, safeguardsOfPlan, setSafeguard } from './commands.ts';
export { lookAtSafeguards } from './look.ts';
export { lookAtPastSafeguards } from './rehearse.ts';
export { safeguardHandlers } from './routes.ts';
export { type Safeguard, safeguardEventData } from './safeguard.ts';
export { type BlindSafeguard, safeguardsOn, safeguardsWithoutData } from './store.ts';
