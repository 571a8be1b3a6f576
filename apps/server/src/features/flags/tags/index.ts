export { tagHandlers } from './routes.ts';
export { findTags, listTagTypes } from './store.ts';
export { distinctTags, includesTag, type NewTag, type TagType, withoutColors } from './tag.ts';
export { ensureTags, withColors } from './tag-commands.ts';
export { createTagType, updateTagType } from './tag-type-commands.ts';
export type { TaggedFlags } from './tagged-flags.ts';
