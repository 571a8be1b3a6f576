import { expect } from 'vitest';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenBorneTag, givenTagType } from '#testing/tags.ts';

export const tagTypeScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/tag-types',
    name: 'lists tag types, including the predefined one',
    as: 'viewer',
    check: ({ json }) => {
      expect(json.version).toBe(1);
      expect(json.tagTypes).toContainEqual(expect.objectContaining({ name: 'simple', color: null }));
    },
  },
  {
    route: 'POST /api/admin/tag-types',
    name: 'creates a type',
    as: 'editor',
    call: { body: { name: 'team', description: 'Who looks after it', icon: '👥', color: '#00AA7f' } },
    answer: { name: 'team', description: 'Who looks after it', icon: '👥', color: '#00AA7f' },
    events: [{ type: 'tag-type-created', preData: null, data: { name: 'team', color: '#00AA7f' } }],
  },
  ...refused('POST /api/admin/tag-types', 409, {
    'answers 409 for a name that is taken': { body: { name: 'simple' } },
  }),
  ...[{ name: 'a b' }, { name: 'bright', color: 'red' }].map(
    (body): Scenario => ({
      route: 'POST /api/admin/tag-types',
      name: `refuses ${JSON.stringify(body).slice(0, 40)}`,
      call: { body },
      status: 400,
    }),
  ),
  {
    route: 'GET /api/admin/tag-types/:name',
    name: 'shows a type',
    as: 'viewer',
    given: async (server) => ({ params: { name: await givenTagType(server) } }),
    answer: { version: 1, tagType: { description: '', icon: null, color: null } },
  },
  {
    route: 'PUT /api/admin/tag-types/:name',
    name: 'changes only the fields of the request',
    as: 'editor',
    given: async (server) => ({
      params: { name: await givenTagType(server, { description: 'stays', icon: 'goes' }) },
      body: { icon: null, color: '#ffffff' },
    }),
    events: [
      {
        type: 'tag-type-updated',
        preData: { description: 'stays', icon: 'goes', color: null },
        data: { description: 'stays', icon: null, color: '#ffffff' },
      },
    ],
  },
  {
    route: 'DELETE /api/admin/tag-types/:name',
    name: 'deletes a type with its tags and removes them from flags',
    as: 'editor',
    given: async (server) => {
      const name = await givenTagType(server);
      await givenBorneTag(server, name);
      return { params: { name } };
    },
    events: [
      { type: 'feature-untagged', data: null },
      { type: 'feature-untagged', data: null },
      { type: 'tag-deleted', preData: null },
      { type: 'tag-type-deleted', data: null, preData: { description: '' } },
    ],
  },
  {
    route: 'POST /api/admin/tag-types/validate',
    name: 'answers 200 for a type that could be created',
    as: 'viewer',
    call: { body: { name: 'possible', color: '#123abc' } },
    answer: { valid: true, tagType: { name: 'possible', description: '', icon: null, color: '#123abc' } },
  },
  ...refused('POST /api/admin/tag-types/validate', 409, {
    'answers 409 for a name that is taken': { body: { name: 'simple' } },
  }),
];
