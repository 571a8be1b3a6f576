import { type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ImpactMetricTables } from '#storage/tables/impact-metrics.ts';
import type { SdkTables } from '#storage/tables/sdk.ts';
import { givenCaller, givenMember } from '#testing/access.ts';
import type { ApiClient, Call } from '#testing/client.ts';
import { freshName, givenFlag, givenProject, switchFlag } from '#testing/flags.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

// SDKs report with tokens of two projects, one private. What a token brings is read by those who see one of its
// projects, and in these projects only. Everything that the private token brings has `secret` in its name.

type ReportedTable = Exclude<
  keyof (SdkTables & ImpactMetricTables),
  'token_scopes' | 'replica_reports' | 'external_readings' | 'metric_charts' | 'safeguards'
>;

/** How the rows of a table carry the projects of a token. */
type Carried =
  | { readonly by: 'scope' | 'flag' | 'series' | 'scopes of the application' }
  /** Written by versions up to 0.9 only. */
  | { readonly by: 'nothing' };

interface Cell {
  readonly carried: Carried;
  /** A read for an account, and the text in it that only the private token brings. */
  readonly reads: readonly (readonly [RouteKey & keyof typeof routes, Call, string])[];
}

/** A new table of reported data does not compile until its cell says who may read it, and where. */
type Cells = Readonly<Record<ReportedTable, Cell>>;

const appName = 'secret-app';
const environment = 'development';
const metricName = 'unleash_counter_secret_errors';
const metric = { metricName, range: 'hour', aggregationMode: 'count' };
/** Reported twice: for the application of the private project and for the shared one. */
const value = '8484';
const application = 'GET /api/admin/metrics/applications/:appName';

function cellsOf(flag: string): Cells {
  const counts: Cell = {
    carried: { by: 'flag' },
    reads: [
      ['GET /api/admin/client-metrics/features/:name', { params: { name: flag } }, 'secret-app'],
      ['GET /api/admin/client-metrics/features/:name/raw', { params: { name: flag } }, 'secret-variant'],
    ],
  };
  const old: Cell = { carried: { by: 'nothing' }, reads: [] };
  return {
    impact_series: {
      carried: { by: 'scope' },
      reads: [
        ['GET /api/admin/impact-metrics/names', {}, 'secret_errors'],
        ['GET /api/admin/impact-metrics/names', {}, 'secret-label'],
        ['GET /internal-backstage/impact/metrics', {}, 'secret_errors'],
      ],
    },
    impact_samples: {
      carried: { by: 'series' },
      reads: [['GET /api/admin/impact-metrics', { query: metric }, value]],
    },
    client_metrics: counts,
    client_metric_variants: counts,
    client_metrics_daily: counts,
    client_metric_variants_daily: counts,
    client_applications: {
      carried: { by: 'scopes of the application' },
      reads: [
        ['GET /api/admin/metrics/applications', {}, 'secret-app'],
        [application, { params: { appName } }, 'secret-strategy'],
      ],
    },
    application_scopes: {
      carried: { by: 'scope' },
      reads: [[`${application}/overview`, { params: { appName } }, 'secret-strategy']],
    },
    application_instances: {
      carried: { by: 'scope' },
      reads: [
        [application, { params: { appName: 'shared-app' } }, 'secret-instance'],
        [
          'GET /api/admin/metrics/instances/:appName/environment/:environment',
          { params: { appName: 'shared-app', environment } },
          'secret-instance',
        ],
        ['GET /api/admin/metrics/sdks/outdated', {}, 'unleash-client-go:1.0'],
      ],
    },
    application_flags: { carried: { by: 'flag' }, reads: [[application, { params: { appName } }, flag]] },
    application_unknown_flags: {
      carried: { by: 'scope' },
      reads: [
        ['GET /api/admin/metrics/unknown-flags', {}, 'secret-unknown'],
        [`${application}/overview`, { params: { appName: 'shared-app' } }, 'secret-unknown'],
      ],
    },
    client_instances: old,
    unknown_flags: old,
  };
}

describe('data that a token brings', () => {
  const server = useServer();
  let secret: { projectId: string; featureName: string };
  let open: { projectId: string; featureName: string };
  let member: ApiClient;
  let stranger: ApiClient;

  /** Reports as an SDK with a token of a project does: every kind of data, named after `mark`. */
  async function report(project: string, mark: string, app: string, flags: readonly string[]) {
    const { secret: token } = await givenToken(server(), { projects: [project], environment });
    const sdk = server().client(token);
    const now = server().clock.now();
    const reporter = {
      appName: app,
      instanceId: `${mark}-instance`,
      sdkVersion: mark === 'secret' ? 'unleash-client-go:1.0' : 'open-sdk:1',
    };
    const started = { started: now, interval: 1000, strategies: [`${mark}-strategy`] };
    await sdk.call('POST /api/client/register', { body: { ...reporter, ...started } });
    const counts = { yes: 7, no: 0, variants: { [`${mark}-variant`]: 7 } };
    const toggles = Object.fromEntries([...flags, `${mark}-unknown`].map((name) => [name, counts]));
    const samples = [{ value: 4242, labels: { place: `${mark}-label` } }];
    const impactMetrics = [{ name: `${mark}_errors`, help: `${mark}-help`, type: 'counter', samples }];
    const body = { ...reporter, bucket: { start: now, stop: now, toggles }, impactMetrics };
    expect((await sdk.call('POST /api/client/metrics', { body })).status).toBe(202);
    await server().app.service.impactMetrics.flush();
    await server().app.service.usage.flush();
  }

  beforeAll(async () => {
    secret = await givenFlag(
      server(),
      { name: freshName('secret-flag') },
      await givenProject(server(), { mode: 'private' }),
    );
    open = await givenFlag(server(), {}, await givenProject(server()));
    member = (await givenMember(server(), secret.projectId, 6)).client;
    stranger = (await givenCaller(server(), 'Editor')).client;
    await report(open.projectId, 'open', 'shared-app', [open.featureName]);
    await report(secret.projectId, 'secret', 'secret-app', [secret.featureName]);
    await report(secret.projectId, 'secret', 'shared-app', [secret.featureName]);
    // The next full minute: charts leave out the minute in progress.
    server().clock.advance(60_000);
  });

  const tables = Object.keys(cellsOf('')) as ReportedTable[];

  it.each(tables)('in %s is read by those who see a project of the token, and by nobody else', async (table) => {
    const { carried, reads } = cellsOf(secret.featureName)[table];
    expect(reads.length > 0).toBe(carried.by !== 'nothing');
    for (const [route, call, text] of reads) {
      expect([route, (await member.call(route, call)).text]).toEqual([route, expect.stringContaining(text)]);
      expect([route, (await server().admin.call(route, call)).text]).toEqual([route, expect.stringContaining(text)]);
      expect([route, (await stranger.call(route, call)).text]).toEqual([route, expect.not.stringContaining(text)]);
    }
  });

  const table = Object.entries(routes) as [RouteKey & keyof typeof routes, RouteSpec][];
  const readers = table.filter(
    ([key, { access }]) => key.startsWith('GET ') && (access === 'signed-in' || typeof access === 'object'),
  );

  /** Calls a route about what a stranger can name: the open project, its flag and the application of both projects. */
  const askAbout = (client: ApiClient, key: RouteKey & keyof typeof routes) => {
    const { projectId, featureName } = open;
    const ids = { id: 1, type: 'simple', value: 'x' };
    return client.call(key, {
      params: { ...ids, projectId, featureName, name: featureName, environment, appName: 'shared-app' },
    });
  };

  it.each(readers.map(([key]) => key))('is not in the answer of %s to a stranger', async (key) => {
    expect((await askAbout(stranger, key)).text).not.toMatch(/secret[-_]/);
  });

  const ofProject = readers.map(([key]) => key).filter((key) => key.includes('/projects/:projectId'));

  it.each(ofProject)('is not in the answer of %s about another project, even to an administrator', async (key) => {
    expect((await askAbout(server().admin, key)).text).not.toMatch(/secret[-_]/);
  });

  it('is not in the list and charts of metrics of another project', async () => {
    const names = 'GET /api/admin/impact-metrics/names';
    const inProject = (project: string) => server().admin.call(names, { query: { project } });
    expect((await inProject(open.projectId)).text).not.toMatch(/secret[-_]/);
    expect((await inProject(secret.projectId)).text).toMatch(/secret_errors/);
    const curve = (project: string) =>
      server().admin.call('GET /api/admin/impact-metrics', { query: { ...metric, project } });
    expect((await curve(open.projectId)).status).toBe(404);
    expect((await curve(secret.projectId)).text).toContain(value);
    const [hidden, unknown] = [
      await stranger.call(names, { query: { project: secret.projectId } }),
      await stranger.call(names, { query: { project: 'nowhere' } }),
    ];
    expect(hidden.text.replaceAll(secret.projectId, 'nowhere').replace(hidden.json.id, '')).toBe(
      unknown.text.replace(unknown.json.id, ''),
    );
  });
});

describe('a token of another project', () => {
  const server = useServer();

  it('counts no evaluation of a flag, opens no gate of it, and does not make it look used', async () => {
    const own = await givenFlag(server(), {}, await givenProject(server()));
    const { secret: token } = await givenToken(server(), { projects: [await givenProject(server())], environment });
    const now = server().clock.now();
    const toggles = { [own.featureName]: { yes: 1_000_000, no: 0 } };
    const sdk = server().client(token);
    await sdk.call('POST /api/client/metrics', {
      body: { appName: 'foreign', bucket: { start: now, stop: now, toggles } },
    });
    await sdk.call('POST /api/client/metrics/bulk', {
      body: {
        applications: [],
        metrics: [{ featureName: own.featureName, appName: 'foreign', environment, yes: 1_000_000, no: 0 }],
      },
    });
    await server().app.service.usage.flush();
    const usage = await server().admin.call('GET /api/admin/client-metrics/features/:name', {
      params: { name: own.featureName },
    });
    expect(usage.json).toMatchObject({ lastHourUsage: [], seenApplications: [] });
    const flag = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params: own });
    expect(flag.json.lastSeenAt).toBeNull();
    const unknown = await server().admin.call('GET /api/admin/metrics/unknown-flags');
    expect(unknown.json.unknownFlags).toMatchObject([
      { name: own.featureName, applications: [{ appName: 'foreign' }] },
    ]);
  });

  it('is not added to series with the same name and labels of a project, and trips no safeguard there', async () => {
    const [mine, foreign] = [await givenProject(server()), await givenProject(server())];
    const own = { ...(await givenFlag(server(), {}, mine)), environment };
    const report = async (projects: string[], value: number) => {
      const { secret: token } = await givenToken(server(), { projects, environment });
      const impactMetrics = [{ name: 'failures', help: '', type: 'counter', samples: [{ value }] }];
      const body = { appName: 'shop', instanceId: 'i', bucket: null, impactMetrics };
      await server().client(token).call('POST /api/client/metrics', { body });
      await server().app.service.impactMetrics.flush();
    };
    await switchFlag(server(), own, 'on');
    await report([mine], 1);
    await setSafeguard(server(), own, moreThan(100, 'unleash_counter_failures'));
    await report([foreign], 5000);
    await report(['*'], 10);
    await report([mine, foreign], 20);
    server().clock.advance(70_000);
    await server().app.service.jobs.runDue();
    const [safeguard] = await safeguardsOf(server(), own);
    expect(safeguard.status).toMatchObject({ state: 'within', value: 31 });
    const exposition = (await server().admin.call('GET /internal-backstage/impact/metrics')).text;
    expect(exposition.match(/^unleash_counter_failures\{.*$/gm)).toEqual([expect.stringMatching(/ 5031$/)]);
  });
});
