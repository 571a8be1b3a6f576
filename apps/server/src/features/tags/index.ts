export { tagHandlers } from './routes.ts';
export { distinct, holds } from './tag.ts';
export { keepTags } from './tag-commands.ts';
export type { TaggedFlags } from './tagged-flags.ts';
