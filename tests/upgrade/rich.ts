import { givenGroup, givenRole } from '../../apps/server/testing/access.ts';
import { givenActionPlace, givenRun, givenRunHold, givenSet } from '../../apps/server/testing/actions.ts';
import { givenSent } from '../../apps/server/testing/change-requests.ts';
import { givenContextField } from '../../apps/server/testing/context-fields.ts';
import {
  addStrategy,
  givenArchived,
  givenEnabled,
  givenFlagIn,
  givenProject,
} from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { reportMetrics } from '../../apps/server/testing/impact-metrics.ts';
import { givenIntegration } from '../../apps/server/testing/integrations.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenPlan, givenTemplate } from '../../apps/server/testing/release-plans.ts';
import { moreThan, setSafeguard } from '../../apps/server/testing/safeguards.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';

/** Fills a server with some of everything that the database holds. Returns the secret of an SDK token. */
export async function givenRichInstance(server: TestServer): Promise<string> {
  const project = await givenProject(server, { mode: 'private' });
  const { id: segment } = await givenSegment(server);
  await givenContextField(server, { legalValues: [{ value: "o'hara" }] });
  const flag = await givenFlagIn(server, 'development');
  await addStrategy(server, flag, {
    name: 'flexibleRollout',
    parameters: { rollout: '40', stickiness: 'default', groupId: 'upgrade' },
    segments: [segment],
    constraints: [{ contextName: 'userId', operator: 'IN', values: ["o'hara", 'ünïcödé'] }],
  });
  await givenEnabled(server);
  await givenArchived(server);
  await givenHold(server, await givenEnabled(server, project), { effect: 'off', reason: 'Held by hand' });
  await givenRunHold(server);
  const place = await givenActionPlace(server);
  await givenRun(server, { name: 'Switch on' }, place);
  await givenSet(server, { name: 'Disabled', enabled: false }, place);
  await givenSent(server);
  await givenIntegration(server);
  const people = [await givenUser(server, 'Editor'), await givenUser(server, 'Viewer')];
  await givenGroup(
    server,
    people.map(({ id }) => id),
  );
  await givenRole(server);
  await givenRelease(server);
  await created(server.admin.call('PUT /api/admin/event-consumers/:name', { params: { name: 'warehouse' }, body: {} }));
  return (await givenToken(server, { environment: 'development' })).secret;
}

/** Creates a release template, a plan with a safeguard, a chart of the safeguard's metric, and an override. */
async function givenRelease(server: TestServer): Promise<void> {
  await givenTemplate(server);
  await reportMetrics(server, [{ name: 'errors', samples: [{ value: 1 }] }], 'development');
  const metricName = 'unleash_counter_errors';
  const { params } = await givenPlan(server);
  await setSafeguard(server, params, moreThan(5, metricName));
  const chart = {
    metricName,
    timeRange: 'hour',
    aggregationMode: 'count',
    labelSelectors: {},
    title: 'Errors',
    yAxisMin: 'zero',
  };
  await created(server.admin.call('POST /api/admin/impact-metrics/config', { body: chart }));
  const override =
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
  const body = { reason: 'Under observation', endsAt: null };
  await created(server.admin.call(override, { params: await givenEnabled(server), body }));
}

async function created(call: ReturnType<TestServer['admin']['call']>): Promise<void> {
  const { status, text } = await call;
  if (status >= 300) throw new Error(`the request was answered ${status}: ${text}`);
}

/** The routes whose answers an upgrade must not change. */
const routes: readonly Parameters<TestServer['admin']['call']>[0][] = [
  'GET /api/admin/projects',
  'GET /api/admin/environments',
  'GET /api/admin/segments',
  'GET /api/admin/context',
  'GET /api/admin/strategies',
  'GET /api/admin/leases',
  'GET /api/admin/automation-overrides',
  'GET /api/admin/release-plan-templates',
  'GET /api/admin/release-plans',
  'GET /api/admin/impact-metrics/config',
  'GET /api/admin/signal-endpoints',
  'GET /api/admin/signals',
  'GET /api/admin/addons',
  'GET /api/admin/roles',
  'GET /api/admin/groups',
  'GET /api/admin/user-admin',
  'GET /api/admin/api-tokens',
  'GET /api/admin/state',
];

/**
 * Returns what {@link givenRichInstance} created, and events up to `lastEvent`: the start of a server records later
 * ones.
 */
export async function contentsOf(
  server: TestServer,
  { lastEvent, sdkToken }: { readonly lastEvent: number; readonly sdkToken: string },
): Promise<Readonly<Record<string, unknown>>> {
  const contents: Record<string, unknown> = {};
  for (const route of routes) {
    const { status, json, text } = await server.admin.call(route, {});
    if (status !== 200) throw new Error(`${route} answered ${status}: ${text}`);
    // Leaves out the list of providers, which comes from the version and not from the database.
    const { providers: _, ...stored } = json;
    contents[route] = Array.isArray(json) ? json : stored;
  }
  const { consumers } = (await server.admin.call('GET /api/admin/event-consumers', {})).json;
  // Leaves out the lag, which includes the events that the start of the server records.
  contents['event consumers'] = consumers.map(({ lag: _, ...consumer }: { readonly lag: number }) => consumer);
  const events = await server.admin.call('GET /api/admin/search/events', { query: { limit: '1000' } });
  // Versions after 0.9 escape asterisks in summaries.
  contents['events'] = events.json.events
    .filter(({ id }: { id: number }) => id <= lastEvent)
    .map((event: { summary: string }) => ({ ...event, summary: event.summary.replaceAll('\\*', '*') }));
  const { status, json } = await server.client(sdkToken).call('GET /api/client/features');
  if (status !== 200) throw new Error(`The SDK was answered ${status}`);
  // Leaves out the epoch in the ETag, which each database has of its own.
  contents['flags for SDKs'] = { ...json, meta: { ...json.meta, etag: json.meta.etag.replace(/:v1:.*/, ':v1"') } };
  return contents;
}

/** Returns the id of the newest event. */
export async function lastEventOf(server: TestServer): Promise<number> {
  return (await server.admin.call('GET /api/admin/search/events', { query: { limit: '1' } })).json.events[0].id;
}
