export { tagHandlers } from './routes.ts';
export { findTags, listTagTypes } from './store.ts';
export { distinct, holds, type NewTag, plain, type TagType } from './tag.ts';
export { keepTags, withColors } from './tag-commands.ts';
export { createTagType, updateTagType } from './tag-type-commands.ts';
export type { TaggedFlags } from './tagged-flags.ts';
