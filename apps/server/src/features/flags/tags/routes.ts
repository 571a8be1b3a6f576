import type { tagRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { listTags, listTagTypes } from './store.ts';
import { createTag, deleteTag, requireTag } from './tag-commands.ts';
import * as types from './tag-type-commands.ts';
import type { TaggedFlags } from './tagged-flags.ts';

export function tagHandlers({ db, write }: Database, flags: TaggedFlags): Handlers<typeof tagRoutes> {
  return {
    'GET /api/admin/tags': async ({ caller }) => ({ body: { version: 1, tags: await listTags(db, caller.hidden) } }),
    'POST /api/admin/tags': async ({ body, author }) => {
      const tag = await write(author, (tx) => createTag(tx, body));
      const location = `tags/${encodeURIComponent(body.type)}/${encodeURIComponent(body.value)}`;
      return { body: { version: 1, tag }, headers: { location } };
    },
    'GET /api/admin/tags/:type': async ({ params, caller }) => ({
      body: { version: 1, tags: await listTags(db, caller.hidden, params.type) },
    }),
    'GET /api/admin/tags/:type/:value': async ({ params, caller }) => ({
      body: { version: 1, tag: await requireTag(db, params, caller.hidden) },
    }),
    'DELETE /api/admin/tags/:type/:value': async ({ params, author }) =>
      write(author, (tx) => deleteTag(tx, flags, params)),
    'GET /api/admin/tag-types': async () => ({ body: { version: 1, tagTypes: await listTagTypes(db) } }),
    'POST /api/admin/tag-types': async ({ body, author }) => {
      const type = await write(author, (tx) => types.createTagType(tx, body));
      return { body: type, headers: { location: `tag-types/${type.name}` } };
    },
    'GET /api/admin/tag-types/:name': async ({ params }) => ({
      body: { version: 1, tagType: await types.requireTagType(db, params.name) },
    }),
    'PUT /api/admin/tag-types/:name': async ({ params, body, author }) =>
      write(author, (tx) => types.updateTagType(tx, params.name, body)),
    'DELETE /api/admin/tag-types/:name': async ({ params, author }) =>
      write(author, (tx) => types.deleteTagType(tx, flags, params.name)),
    'POST /api/admin/tag-types/validate': async ({ body }) => ({
      body: { valid: true, tagType: await types.newTagType(db, body) },
    }),
  };
}
