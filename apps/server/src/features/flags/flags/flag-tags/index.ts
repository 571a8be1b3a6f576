export { changeTags } from './commands.ts';
export { featureTagHandlers } from './routes.ts';
export { taggedFlags } from './tagged-flags.ts';
