export { removeSafeguard, safeguardsOfPlan, setSafeguard } from './commands.ts';
export { lookAtSafeguards } from './look.ts';
export { pauseReasons } from './rehearse.ts';
export { safeguardHandlers } from './routes.ts';
