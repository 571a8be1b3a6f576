import { expect } from 'vitest';
import { freshName, givenFlag } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenBorneTag, givenTagType } from '#testing/tags.ts';
import { tagTypeScenarios } from './tag-type.scenarios.ts';

const fresh = () => ({ type: 'simple', value: freshName('tag') });

/** Creates a tag without flags. */
async function givenTag(server: TestServer) {
  const tag = fresh();
  await server.admin.call('POST /api/admin/tags', { body: tag });
  return tag;
}

const tags: readonly Scenario[] = [
  {
    route: 'GET /api/admin/tags',
    name: 'lists tags, including tags that were created with flags',
    as: 'viewer',
    given: async (server) => {
      await givenTag(server);
      await givenFlag(server, { tags: [{ type: 'simple', value: 'came with a flag' }] });
      return {};
    },
    check: ({ json }) => {
      expect(json.version).toBe(1);
      expect(json.tags).toContainEqual({ type: 'simple', value: 'came with a flag', color: null });
    },
  },
  {
    route: 'POST /api/admin/tags',
    name: 'creates a tag',
    as: 'editor',
    call: { body: { type: ' simple ', value: '  größer & 🏁 ' } },
    answer: { version: 1, tag: { type: 'simple', value: 'größer & 🏁', color: null } },
    check: ({ headers }) => expect(headers.get('location')).toBe('tags/simple/gr%C3%B6%C3%9Fer%20%26%20%F0%9F%8F%81'),
    events: [
      {
        type: 'tag-created',
        project: null,
        featureName: null,
        preData: null,
        data: { type: 'simple', value: 'größer & 🏁' },
      },
    ],
  },
  {
    route: 'POST /api/admin/tags',
    name: 'creates a tag with a color',
    as: 'editor',
    call: { body: { type: 'simple', value: 'coloured', color: '#00AA7f' } },
    answer: { version: 1, tag: { type: 'simple', value: 'coloured', color: '#00AA7f' } },
    check: async ({ json }, server) => {
      const params = { type: 'simple', value: 'coloured' };
      const { json: found } = await server.admin.call('GET /api/admin/tags/:type/:value', { params });
      expect(found).toEqual(json);
    },
    events: [{ type: 'tag-created', data: { type: 'simple', value: 'coloured', color: '#00AA7f' } }],
  },
  ...refused('POST /api/admin/tags', 409, {
    'answers 409 for an existing tag': async (server) => ({ body: await givenTag(server) }),
  }),
  ...refused('POST /api/admin/tags', 400, {
    'answers 400 for a color name': { body: { type: 'simple', value: 'by name', color: 'red' } },
    'answers 400 for an unknown type': { body: { type: 'unheard-of', value: 'any' } },
  }),
  {
    route: 'GET /api/admin/tags/:type',
    name: 'lists the tags of a type',
    as: 'viewer',
    given: async (server) => {
      await givenTag(server);
      const type = await givenTagType(server);
      await server.admin.call('POST /api/admin/tags', { body: { type, value: 'its own' } });
      return { params: { type } };
    },
    check: ({ json }) =>
      expect(json).toEqual({ version: 1, tags: [{ type: expect.any(String), value: 'its own', color: null }] }),
  },
  {
    route: 'GET /api/admin/tags/:type/:value',
    name: 'shows a tag',
    as: 'viewer',
    given: async (server) => ({ params: await givenTag(server) }),
    answer: { version: 1, tag: { type: 'simple' } },
  },
  {
    route: 'DELETE /api/admin/tags/:type/:value',
    name: 'deletes a tag and removes it from all flags',
    as: 'editor',
    given: async (server) => ({ params: await givenBorneTag(server, 'simple') }),
    check: async (_reply, server) => {
      const { json } = await server.admin.call('GET /api/admin/events', { query: { limit: 2 } });
      expect(json.events[1].tags).toEqual([{ type: 'simple', value: 'stays' }]);
    },
    events: [
      { type: 'feature-untagged', project: 'default', data: null, preData: { type: 'simple' } },
      { type: 'feature-untagged', project: 'default', data: null, preData: { type: 'simple' } },
      { type: 'tag-deleted', data: { type: 'simple' }, preData: null },
    ],
  },
  {
    route: 'DELETE /api/admin/tags/:type/:value',
    name: 'records the color of the deleted tag',
    as: 'editor',
    given: async (server) => {
      const tag = fresh();
      await server.admin.call('POST /api/admin/tags', { body: { ...tag, color: '#123456' } });
      return { params: tag };
    },
    events: [{ type: 'tag-deleted', data: { type: 'simple', color: '#123456' }, preData: null }],
  },
];

export const tagScenarios: readonly Scenario[] = [...tags, ...tagTypeScenarios];
