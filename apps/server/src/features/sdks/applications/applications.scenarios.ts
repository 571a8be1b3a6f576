import { expect } from 'vitest';
import { givenApplication } from '#testing/applications.ts';
import { givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const unknown = { params: { appName: 'nowhere' } };
const oldSdk = 'unleash-client-node:4.1.0';

/** Creates an application with an old SDK that evaluates a flag of a new project, and an unknown flag. */
async function givenUsing(server: TestServer): Promise<{ appName: string; projectId: string; featureName: string }> {
  const projectId = await givenProject(server);
  const { featureName } = await givenFlag(server, {}, projectId);
  const strategies = ['default', 'ofItsOwn'];
  const flags = [featureName, 'missing-one'];
  const appName = await givenApplication(server, { sdkVersion: oldSdk, strategies, flags });
  return { appName, projectId, featureName };
}

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/metrics/applications',
    name: 'finds applications by a part of their names, with what they use',
    given: async (server) => ({ query: { query: (await givenUsing(server)).appName.toUpperCase() } }),
    check: ({ json }) => {
      expect(json).toMatchObject({
        total: 1,
        applications: [
          {
            sdkVersion: oldSdk,
            strategies: ['default', 'ofItsOwn'],
            announced: true,
            usage: [{ project: expect.stringMatching(/^project-/), environments: ['development'] }],
          },
        ],
      });
    },
  },
  ...refused('GET /api/admin/metrics/applications', 400, {
    'refuses an order that there is not': { query: { sortBy: 'color' } },
  }),
  {
    route: 'GET /api/admin/metrics/applications/:appName',
    name: 'tells of one application',
    given: async (server) => ({ params: { appName: await givenApplication(server, {}) } }),
    answer: { announced: false, strategies: [], usage: [] },
  },
  {
    route: 'GET /api/admin/metrics/applications/:appName/overview',
    name: 'tells where it runs and what may be wrong',
    given: async (server) => ({ params: { appName: (await givenUsing(server)).appName } }),
    answer: {
      featureCount: 1,
      projects: [expect.stringMatching(/^project-/)],
      environments: [
        {
          name: 'development',
          instanceCount: 1,
          sdks: [oldSdk],
          sdksByType: { backend: [oldSdk], frontend: [] },
          lastSeen: expect.stringMatching(/Z$/),
          issues: { missingFeatures: ['missing-one'], outdatedSdks: [oldSdk] },
        },
      ],
      issues: { missingStrategies: ['ofItsOwn'] },
    },
  },
  {
    route: 'GET /api/admin/metrics/instances/:appName/environment/:environment',
    name: 'lists the instances there',
    given: async (server) => ({
      params: { appName: await givenApplication(server, { sdkVersion: 'some:1' }), environment: 'development' },
    }),
    answer: {
      instances: [{ instanceId: 'one', sdkVersion: 'some:1', clientIp: '127.0.0.1', lastSeen: expect.any(String) }],
    },
  },
];

const missing = 'GET /api/admin/metrics/unknown-flags';

const unknownFlags: readonly Scenario[] = [
  {
    route: missing,
    name: 'names flags that do not exist, with who evaluates them',
    given: async (server) => {
      const { featureName } = await givenFlag(server);
      const archived = await givenArchived(server);
      await givenApplication(server, { flags: ['nobody-made-this', featureName, archived.featureName] });
      return {};
    },
    check: ({ json }) => {
      const names = json.unknownFlags.map(({ name }: { name: string }) => name);
      expect(names).toContain('nobody-made-this');
      expect(names.filter((name: string) => name.startsWith('flag-'))).toEqual([]);
      const lastSeenAt = expect.stringMatching(/Z$/);
      expect(json.unknownFlags[names.indexOf('nobody-made-this')]).toEqual({
        name: 'nobody-made-this',
        lastSeenAt,
        lastEventAt: null,
        reports: [
          {
            appName: expect.stringMatching(/^app-/),
            environments: [{ environment: 'development', seenAt: lastSeenAt }],
          },
        ],
        applications: [{ appName: expect.stringMatching(/^app-/), environment: 'development', lastSeenAt }],
      });
    },
  },
  {
    route: missing,
    name: 'does not name a flag that was created since',
    given: async (server) => {
      const name = 'made-at-last';
      await givenApplication(server, { flags: [name] });
      await givenFlag(server, { name });
      return {};
    },
    check: ({ text }) => expect(text).not.toContain('made-at-last'),
  },
];

const ofProjects: readonly Scenario[] = [
  {
    route: 'GET /api/admin/metrics/sdks/outdated',
    name: 'names outdated SDKs and who uses them',
    given: async (server) => {
      await givenApplication(server, { sdkVersion: 'unleash-client-java:8.9.9' });
      await givenApplication(server, { sdkVersion: 'unleash-client-java:9.0.0' });
      return {};
    },
    check: ({ json }) => {
      const sdks = json.sdks.map(({ sdkVersion }: { sdkVersion: string }) => sdkVersion);
      expect(sdks).toContain('unleash-client-java:8.9.9');
      expect(sdks).not.toContain('unleash-client-java:9.0.0');
    },
  },
  {
    route: 'GET /api/admin/projects/:projectId/applications',
    name: 'lists who evaluates flags of the project',
    given: async (server) => ({ params: { projectId: (await givenUsing(server)).projectId } }),
    answer: {
      total: 1,
      applications: [
        {
          environments: ['development'],
          instances: ['one'],
          sdks: [{ name: 'unleash-client-node', versions: ['4.1.0'] }],
        },
      ],
    },
  },
  {
    route: 'GET /api/admin/projects/:projectId/sdks/outdated',
    name: 'names only what evaluates flags of the project',
    given: async (server) => {
      await givenApplication(server, { sdkVersion: 'unleash-client-go:3.0.0' });
      return { params: { projectId: (await givenUsing(server)).projectId } };
    },
    check: ({ json }) => {
      expect(json.sdks).toEqual([{ sdkVersion: oldSdk, applications: [expect.stringMatching(/^app-/)] }]);
    },
  },
];

const changing: readonly Scenario[] = [
  {
    route: 'POST /api/admin/metrics/applications/:appName',
    name: 'adds an application that nothing has reported for yet',
    call: { params: { appName: 'to come' }, body: { url: 'https://example.com/', color: 'red', icon: 'x' } },
    events: [
      { type: 'application-created', data: { appName: 'to come', url: 'https://example.com/', strategies: [] } },
    ],
  },
  {
    route: 'POST /api/admin/metrics/applications/:appName',
    name: 'describes one that has reported, and keeps what is not named',
    given: async (server) => ({
      params: { appName: await givenApplication(server, { strategies: ['default'] }) },
      body: { description: 'shop' },
    }),
    events: [
      {
        type: 'application-updated',
        preData: { description: null, strategies: ['default'] },
        data: { description: 'shop', strategies: ['default'] },
      },
    ],
  },
  {
    route: 'DELETE /api/admin/metrics/applications/:appName',
    name: 'forgets an application with all that it reported',
    given: async (server) => ({ params: { appName: (await givenUsing(server)).appName } }),
    events: [{ type: 'application-deleted', preData: { strategies: ['default', 'ofItsOwn'] } }],
  },
  {
    route: 'DELETE /api/admin/metrics/applications/:appName',
    name: 'records nothing when there is none',
    call: unknown,
  },
];

export const applicationScenarios: readonly Scenario[] = [...reading, ...unknownFlags, ...ofProjects, ...changing];
