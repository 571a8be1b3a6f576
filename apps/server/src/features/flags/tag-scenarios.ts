import { givenArchived, givenFlag } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

const red = { type: 'colour', value: 'red' };
const blue = { type: 'colour', value: 'blue' };
const tagged = async (server: TestServer) => ({ params: await givenFlag(server, { tags: [red] }) });
const untagged = async (server: TestServer) => ({ params: await givenFlag(server) });
const nowhere = { params: { featureName: 'nowhere' } };

export const tagScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/features/:featureName/tags',
    name: 'lists tags',
    as: 'viewer',
    given: tagged,
    status: 200,
    answer: { version: 1, tags: [red] },
  },
  { route: 'GET /api/admin/features/:featureName/tags', name: 'does not know the flag', call: nowhere, status: 404 },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'tags a flag, and its event bears the tag',
    as: 'editor',
    given: async (server) => ({ ...(await untagged(server)), body: { type: 'colour', value: '  größer & 🚩  ' } }),
    status: 201,
    answer: { type: 'colour', value: 'größer & 🚩' },
    events: [{ type: 'feature-tagged', preData: null, data: { type: 'colour', value: 'größer & 🚩' } }],
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'records nothing for a tag that is there',
    given: async (server) => ({ ...(await tagged(server)), body: red }),
    status: 201,
    answer: red,
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'refuses a value of one character',
    given: async (server) => ({ ...(await untagged(server)), body: { type: 'colour', value: ' x ' } }),
    status: 400,
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'does not tag an archived flag',
    given: async (server) => ({ params: await givenArchived(server), body: red }),
    status: 400,
    answer: { name: 'ArchivedFeatureError' },
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'is closed to who may not change flags of its project',
    as: 'viewer',
    given: async (server) => ({ ...(await untagged(server)), body: red }),
    status: 403,
    answer: { permissions: ['UPDATE_FEATURE'] },
  },
  {
    route: 'PUT /api/admin/features/:featureName/tags',
    name: 'adds and removes, recording what changes',
    given: async (server) => ({
      ...(await tagged(server)),
      body: { addedTags: [blue, blue], removedTags: [red, { type: 'colour', value: 'green' }] },
    }),
    status: 200,
    answer: { version: 1, tags: [blue] },
    events: [
      { type: 'feature-tagged', data: blue, preData: null },
      { type: 'feature-untagged', data: null, preData: red },
    ],
  },
  {
    route: 'PUT /api/admin/features/:featureName/tags',
    name: 'needs both lists',
    given: async (server) => ({ ...(await tagged(server)), body: { addedTags: [blue] } }),
    status: 400,
  },
  {
    route: 'DELETE /api/admin/features/:featureName/tags/:type/:value',
    name: 'takes a tag off, whatever it is made of',
    given: async (server) => {
      const tag = { type: 'any/thing', value: 'a/b?c#d%20é🚩' };
      const { featureName } = await givenFlag(server, { tags: [tag] });
      return { params: { featureName, ...tag } };
    },
    status: 200,
    events: [{ type: 'feature-untagged', data: null, preData: { type: 'any/thing', value: 'a/b?c#d%20é🚩' } }],
  },
  {
    route: 'DELETE /api/admin/features/:featureName/tags/:type/:value',
    name: 'does not know a tag that the flag does not have',
    given: async (server) => {
      const { params } = await tagged(server);
      return { params: { ...params, ...blue } };
    },
    status: 404,
  },
];
