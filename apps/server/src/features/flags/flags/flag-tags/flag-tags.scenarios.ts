import { freshName, givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const red = { type: 'simple', value: 'red' };
const green = { type: 'simple', value: 'green, which no other scenario has' };
const crimson = { type: 'simple', value: 'crimson' };
const azure = { type: 'simple', value: 'azure' };
const blue = { type: 'simple', value: 'blue' };
const tagged = async (server: TestServer) => ({ params: await givenFlag(server, { tags: [red] }) });
const untagged = async (server: TestServer) => ({ params: await givenFlag(server) });

const fresh = () => ({ type: 'simple', value: freshName('tag') });
const manyFlags = (features: readonly string[], addedTags: readonly object[], removedTags: readonly object[] = []) => ({
  features,
  tags: { addedTags, removedTags },
});

export const tagScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/features/:featureName/tags',
    name: 'lists tags',
    as: 'viewer',
    given: tagged,
    answer: { version: 1, tags: [red] },
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'adds a tag, which the recorded event carries',
    as: 'editor',
    given: async (server) => ({ ...(await untagged(server)), body: { type: 'simple', value: '  größer & 🚩  ' } }),
    answer: { type: 'simple', value: 'größer & 🚩' },
    events: [
      { type: 'tag-created', featureName: null, preData: null, data: { type: 'simple', value: 'größer & 🚩' } },
      { type: 'feature-tagged', preData: null, data: { type: 'simple', value: 'größer & 🚩' } },
    ],
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'creates a tag with its colour, which flags do not store',
    as: 'editor',
    given: async (server) => ({ ...(await untagged(server)), body: { ...crimson, color: '#dc143c' } }),
    answer: { ...crimson, color: '#dc143c' },
    events: [
      { type: 'tag-created', data: { ...crimson, color: '#dc143c' } },
      { type: 'feature-tagged', data: crimson },
    ],
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'keeps the colour of an existing tag',
    given: async (server) => {
      const tag = fresh();
      await server.admin.call('POST /api/admin/tags', { body: { ...tag, color: '#0000ff' } });
      return { ...(await untagged(server)), body: { ...tag, color: '#ff0000' } };
    },
    answer: { type: 'simple', color: '#0000ff' },
    events: [{ type: 'feature-tagged', data: { type: 'simple' } }],
  },
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'records no event when the flag has the tag',
    given: async (server) => ({ ...(await tagged(server)), body: red }),
    answer: red,
  },
  ...refused('POST /api/admin/features/:featureName/tags', 400, {
    'rejects an invalid colour': async (server) => ({ ...(await untagged(server)), body: { ...red, color: '#12345' } }),
    'rejects an unknown tag type': async (server) => ({
      ...(await untagged(server)),
      body: { type: 'unheard-of', value: 'any' },
    }),
    'rejects an archived flag': async (server) => ({ params: await givenArchived(server), body: red }),
  }),
  {
    route: 'POST /api/admin/features/:featureName/tags',
    name: 'answers 403 without the permission UPDATE_FEATURE in the project of the flag',
    as: 'viewer',
    given: async (server) => ({ ...(await untagged(server)), body: red }),
    status: 403,
    answer: { permissions: ['UPDATE_FEATURE'] },
  },
  {
    route: 'PUT /api/admin/features/:featureName/tags',
    name: 'creates tags with their colours',
    given: async (server) => ({
      ...(await tagged(server)),
      body: { addedTags: [{ ...azure, color: '#007fff' }], removedTags: [] },
    }),
    answer: {
      version: 1,
      tags: [
        { ...azure, color: '#007fff' },
        { ...red, color: null },
      ],
    },
    events: [
      { type: 'tag-created', data: { ...azure, color: '#007fff' } },
      { type: 'feature-tagged', data: azure },
    ],
  },
  {
    route: 'PUT /api/admin/features/:featureName/tags',
    name: 'adds and removes tags and records each change',
    given: async (server) => ({
      ...(await tagged(server)),
      body: { addedTags: [green, green], removedTags: [red, { type: 'unheard-of', value: 'any' }] },
    }),
    answer: { version: 1, tags: [green] },
    events: [
      { type: 'tag-created', data: green },
      { type: 'feature-tagged', data: green, preData: null },
      { type: 'feature-untagged', data: null, preData: red },
    ],
  },
  {
    route: 'DELETE /api/admin/features/:featureName/tags/:type/:value',
    name: 'removes a tag with any characters',
    given: async (server) => {
      const tag = { type: 'simple', value: 'a/b?c#d%20é🚩' };
      const { featureName } = await givenFlag(server, { tags: [tag] });
      return { params: { featureName, ...tag } };
    },
    events: [{ type: 'feature-untagged', data: null, preData: { type: 'simple', value: 'a/b?c#d%20é🚩' } }],
  },
  ...refused('DELETE /api/admin/features/:featureName/tags/:type/:value', 404, {
    'answers 404 for a tag that the flag does not have': async (server) => {
      const { params } = await tagged(server);
      return { params: { ...params, ...blue } };
    },
  }),
  {
    route: 'PUT /api/admin/projects/:projectId/tags',
    name: 'changes the tags of each flag where needed',
    as: 'editor',
    given: async (server) => {
      const projectId = await givenProject(server);
      const { featureName: first } = await givenFlag(server, { tags: [red] }, projectId);
      const { featureName: second } = await givenFlag(server, { tags: [blue] }, projectId);
      return { params: { projectId }, body: manyFlags([first, second, first], [blue, fresh()], [red]) };
    },
    events: [
      { type: 'tag-created' },
      { type: 'feature-tagged', data: blue },
      { type: 'feature-tagged' },
      { type: 'feature-tagged' },
      { type: 'feature-untagged', data: null, preData: red },
    ],
  },
  ...refused('PUT /api/admin/projects/:projectId/tags', 404, {
    'answers 404 for a flag of another project': async (server) => ({
      params: { projectId: await givenProject(server) },
      body: manyFlags([(await givenFlag(server)).featureName], [red]),
    }),
  }),
  ...refused('PUT /api/admin/projects/:projectId/tags', 400, {
    'changes no flag when one is archived': async (server) => {
      const { projectId, featureName } = await givenFlag(server);
      const archived = await givenArchived(server);
      return { params: { projectId }, body: manyFlags([featureName, archived.featureName], [red]) };
    },
    'changes no flag when a tag type is unknown': async (server) => {
      const { projectId, featureName } = await givenFlag(server);
      const tags = [fresh(), { type: 'unheard-of', value: 'any' }];
      return { params: { projectId }, body: manyFlags([featureName], tags) };
    },
    'rejects more changes than one request may make': {
      params: { projectId: 'default' },
      body: manyFlags(
        Array.from({ length: 1000 }, (_, n) => `flag-${n}`),
        Array.from({ length: 11 }, () => red),
      ),
    },
  }),
];
