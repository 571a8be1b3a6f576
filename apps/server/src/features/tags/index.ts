export { tagHandlers } from './routes.ts';
export { listTagTypes } from './store.ts';
export { distinct, holds, type TagType } from './tag.ts';
export { keepTags } from './tag-commands.ts';
export { createTagType, updateTagType } from './tag-type-commands.ts';
export type { TaggedFlags } from './tagged-flags.ts';
