import { expect } from 'vitest';
import { givenContextField } from '#testing/context-fields.ts';
import {
  addStrategy,
  freshName,
  givenArchived,
  givenDependency,
  givenFlag,
  givenFlagIn,
  givenLink,
} from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';

const route = 'POST /api/admin/features-batch/export';
const environment = 'development';
const nothingElse = { contextFields: [], segments: [], tagTypes: [], featureTags: [], dependencies: [], links: [] };

export const exportScenarios: readonly Scenario[] = [
  {
    route,
    name: 'exports a flag with the entities that it uses in the environment as a file, and records an event',
    as: 'viewer',
    given: async (server) => {
      const flag = await givenFlagIn(server);
      const { featureName } = flag;
      await givenLink(server, { url: 'https://example.com/docs' }, flag);
      await server.admin.call('POST /api/admin/features/:featureName/tags', {
        params: flag,
        body: { type: 'simple', value: 'exported' },
      });
      const segment = await givenSegment(server);
      const contextName = await givenContextField(server);
      const constraints = [{ contextName, operator: 'IN', values: ['x'] }];
      await addStrategy(server, flag, { name: 'default', segments: [segment.id], constraints });
      await addStrategy(server, { ...flag, environment: 'production' }, { name: 'default' });
      return { body: { environment, features: [featureName] } };
    },
    check: ({ json, headers }) => {
      const [{ name }] = json.features;
      expect(headers.get('content-disposition')).toBe('attachment; filename="flags-development.json"');
      expect(json).toMatchObject({
        features: [{ name, type: 'release', project: 'default', stale: false }],
        featureStrategies: [{ featureName: name, name: 'default', segments: [json.segments[0].id] }],
        featureEnvironments: [{ name, featureName: name, environment, enabled: false, variants: [] }],
        contextFields: [{ name: json.featureStrategies[0].constraints[0].contextName }],
        featureTags: [{ featureName: name, tagType: 'simple', tagValue: 'exported' }],
        segments: [{ name: expect.any(String) }],
        tagTypes: [{ name: 'simple' }],
        dependencies: [],
        links: [{ feature: name, links: [{ url: 'https://example.com/docs', title: null }] }],
      });
    },
    events: [
      {
        type: 'features-exported',
        project: null,
        featureName: null,
        data: { features: [{ type: 'release' }], featureEnvironments: [{ environment }] },
      },
    ],
  },
  {
    route,
    name: 'exports the flags of a project that are not archived, with their dependencies',
    given: async (server) => {
      const { projectId } = await givenDependency(server, { variants: ['a'] });
      await givenArchived(server, projectId);
      return { body: { environment, project: projectId, downloadFile: false } };
    },
    check: ({ json, headers }) => {
      expect(headers.get('content-disposition')).toBe(null);
      const [child, parent] = json.features.map(({ name }: { name: string }) => name);
      const dependencies = [{ feature: child, dependencies: [{ feature: parent, enabled: true, variants: ['a'] }] }];
      expect(json).toMatchObject({ features: [{}, {}], ...nothingElse, dependencies });
    },
    events: [{ type: 'features-exported' }],
  },
  ...['tag', 'type:tag'].map(
    (how): Scenario => ({
      route,
      name: `answers the flags of a tag that is named as ${how}`,
      given: async (server) => {
        const value = freshName('tag');
        for (let more = 0; more < 2; more++) await givenFlag(server, { tags: [{ type: 'simple', value }] });
        await givenFlag(server);
        return { body: { environment, tag: how === 'tag' ? value : `simple:${value}` } };
      },
      check: ({ json }) => expect(json.features).toHaveLength(2),
      events: [{ type: 'features-exported' }],
    }),
  ),
  {
    route,
    name: 'exports every flag when none is named',
    given: async (server) => {
      await givenFlag(server);
      return { body: { environment, features: [] } };
    },
    check: ({ json }) => expect(json.features.length).toBeGreaterThan(2),
    events: [{ type: 'features-exported' }],
  },
  ...refused(route, 404, {
    'refuses an unknown flag and an archived flag': async (server) => ({
      body: { environment, features: [(await givenArchived(server)).featureName, 'no-such-flag'] },
    }),
    'refuses an unknown environment': { body: { environment: 'nowhere', project: 'default' } },
    'refuses an unknown project': { body: { environment, project: 'nowhere' } },
  }),
  { route, name: 'refuses a request without flags, tag or project', call: { body: { environment } }, status: 400 },
];
