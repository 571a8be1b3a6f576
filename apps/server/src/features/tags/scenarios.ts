import { expect } from 'vitest';
import { freshName, givenFlag } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

const fresh = () => ({ type: 'simple', value: freshName('tag') });

/** A tag that no flag bears. */
async function givenTag(server: TestServer) {
  const tag = fresh();
  await server.admin.call('POST /api/admin/tags', { body: tag });
  return tag;
}

/** A type without tags. */
async function givenTagType(server: TestServer, more: object = {}) {
  const name = freshName('type');
  await server.admin.call('POST /api/admin/tag-types', { body: { name, ...more } });
  return name;
}

/** Two flags that bear one tag, one of them archived. */
async function givenBorne(server: TestServer, type: string) {
  const tag = { type, value: freshName('borne') };
  for (const archived of [false, true]) {
    const params = await givenFlag(server, { tags: [tag, { type: 'simple', value: 'stays' }] });
    const route = 'DELETE /api/admin/projects/:projectId/features/:featureName';
    if (archived) await server.admin.call(route, { params });
  }
  return tag;
}

const tags: readonly Scenario[] = [
  {
    route: 'GET /api/admin/tags',
    name: 'lists tags, those that came with flags too',
    as: 'viewer',
    given: async (server) => {
      await givenTag(server);
      await givenFlag(server, { tags: [{ type: 'simple', value: 'came with a flag' }] });
      return {};
    },
    status: 200,
    check: ({ json }) => {
      expect(json.version).toBe(1);
      expect(json.tags).toContainEqual({ type: 'simple', value: 'came with a flag' });
    },
  },
  { route: 'GET /api/admin/tags', name: 'is closed without a token', as: 'nobody', status: 401 },
  {
    route: 'POST /api/admin/tags',
    name: 'creates a tag',
    as: 'editor',
    call: { body: { type: ' simple ', value: '  größer & 🚩 ' } },
    status: 201,
    answer: { version: 1, tag: { type: 'simple', value: 'größer & 🚩' } },
    check: ({ headers }) => expect(headers.get('location')).toBe('tags/simple/gr%C3%B6%C3%9Fer%20%26%20%F0%9F%9A%A9'),
    events: [
      {
        type: 'tag-created',
        project: null,
        featureName: null,
        preData: null,
        data: { type: 'simple', value: 'größer & 🚩' },
      },
    ],
  },
  {
    route: 'POST /api/admin/tags',
    name: 'refuses a tag that there is',
    given: async (server) => ({ body: await givenTag(server) }),
    status: 409,
    answer: { name: 'NameExistsError' },
  },
  {
    route: 'POST /api/admin/tags',
    name: 'refuses a type that there is not',
    call: { body: { type: 'unheard-of', value: 'any' } },
    status: 400,
    answer: { details: [{ path: 'type' }] },
  },
  {
    route: 'POST /api/admin/tags',
    name: 'refuses a value of more than 50 characters',
    call: { body: { type: 'simple', value: 'x'.repeat(51) } },
    status: 400,
  },
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
    status: 200,
    check: ({ json }) => expect(json).toEqual({ version: 1, tags: [{ type: expect.any(String), value: 'its own' }] }),
  },
  {
    route: 'GET /api/admin/tags/:type',
    name: 'is closed without a token',
    as: 'nobody',
    call: { params: { type: 'simple' } },
    status: 401,
  },
  {
    route: 'GET /api/admin/tags/:type/:value',
    name: 'shows a tag',
    as: 'viewer',
    given: async (server) => ({ params: await givenTag(server) }),
    status: 200,
    answer: { version: 1, tag: { type: 'simple' } },
  },
  {
    route: 'GET /api/admin/tags/:type/:value',
    name: 'does not know the tag',
    call: { params: { type: 'simple', value: 'nowhere' } },
    status: 404,
  },
  {
    route: 'DELETE /api/admin/tags/:type/:value',
    name: 'deletes a tag and takes it off all flags',
    as: 'editor',
    given: async (server) => ({ params: await givenBorne(server, 'simple') }),
    status: 200,
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
    name: 'does not know the tag',
    call: { params: { type: 'simple', value: 'nowhere' } },
    status: 404,
  },
];

const tagTypes: readonly Scenario[] = [
  {
    route: 'GET /api/admin/tag-types',
    name: 'lists types, the first one from the start',
    as: 'viewer',
    status: 200,
    check: ({ json }) => {
      expect(json.version).toBe(1);
      expect(json.tagTypes).toContainEqual(expect.objectContaining({ name: 'simple', color: null }));
    },
  },
  { route: 'GET /api/admin/tag-types', name: 'is closed without a token', as: 'nobody', status: 401 },
  {
    route: 'POST /api/admin/tag-types',
    name: 'creates a type',
    as: 'editor',
    call: { body: { name: 'team', description: 'Who looks after it', icon: '👥', color: '#00AA7f' } },
    status: 201,
    answer: { name: 'team', description: 'Who looks after it', icon: '👥', color: '#00AA7f' },
    events: [{ type: 'tag-type-created', preData: null, data: { name: 'team', color: '#00AA7f' } }],
  },
  {
    route: 'POST /api/admin/tag-types',
    name: 'refuses a name that is taken',
    call: { body: { name: 'simple' } },
    status: 409,
    answer: { name: 'NameExistsError' },
  },
  ...[{ name: 'x' }, { name: 'a b' }, { name: 'x'.repeat(51) }, { name: 'bright', color: 'red' }, {}].map(
    (body): Scenario => ({
      route: 'POST /api/admin/tag-types',
      name: `refuses ${JSON.stringify(body).slice(0, 40)}`,
      call: { body },
      status: 400,
    }),
  ),
  {
    route: 'POST /api/admin/tag-types',
    name: 'is closed to a viewer',
    as: 'viewer',
    call: { body: { name: 'never' } },
    status: 403,
    answer: { permissions: ['CREATE_TAG_TYPE'] },
  },
  {
    route: 'GET /api/admin/tag-types/:name',
    name: 'shows a type',
    as: 'viewer',
    given: async (server) => ({ params: { name: await givenTagType(server) } }),
    status: 200,
    answer: { description: '', icon: null, color: null },
  },
  {
    route: 'GET /api/admin/tag-types/:name',
    name: 'does not know the type',
    call: { params: { name: 'nowhere' } },
    status: 404,
  },
  {
    route: 'PUT /api/admin/tag-types/:name',
    name: 'changes what is named',
    as: 'editor',
    given: async (server) => ({
      params: { name: await givenTagType(server, { description: 'stays', icon: 'goes' }) },
      body: { icon: null, color: '#ffffff' },
    }),
    status: 200,
    events: [
      {
        type: 'tag-type-updated',
        preData: { description: 'stays', icon: 'goes', color: null },
        data: { description: 'stays', icon: null, color: '#ffffff' },
      },
    ],
  },
  {
    route: 'PUT /api/admin/tag-types/:name',
    name: 'records nothing when nothing changes',
    given: async (server) => ({
      params: { name: await givenTagType(server, { icon: 'same' }) },
      body: { icon: 'same' },
    }),
    status: 200,
  },
  {
    route: 'PUT /api/admin/tag-types/:name',
    name: 'does not know the type',
    call: { params: { name: 'nowhere' }, body: {} },
    status: 404,
  },
  {
    route: 'DELETE /api/admin/tag-types/:name',
    name: 'deletes a type with its tags, on flags too',
    as: 'editor',
    given: async (server) => {
      const name = await givenTagType(server);
      await givenBorne(server, name);
      return { params: { name } };
    },
    status: 200,
    events: [
      { type: 'feature-untagged', data: null },
      { type: 'feature-untagged', data: null },
      { type: 'tag-deleted', preData: null },
      { type: 'tag-type-deleted', data: null, preData: { description: '' } },
    ],
  },
  {
    route: 'DELETE /api/admin/tag-types/:name',
    name: 'does not know the type',
    call: { params: { name: 'nowhere' } },
    status: 404,
  },
  {
    route: 'POST /api/admin/tag-types/validate',
    name: 'takes a type that could be created',
    as: 'viewer',
    call: { body: { name: 'possible', color: '#123abc' } },
    status: 200,
    answer: { valid: true, tagType: { name: 'possible', description: '', icon: null, color: '#123abc' } },
  },
  {
    route: 'POST /api/admin/tag-types/validate',
    name: 'refuses a name that is taken',
    call: { body: { name: 'simple' } },
    status: 409,
  },
];

export const tagScenarios: readonly Scenario[] = [...tags, ...tagTypes];
