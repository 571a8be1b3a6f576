import type { Installation } from '../installation.ts';
import { interleave } from '../interleave.ts';
import { aloneLatency } from '../latency.ts';
import type { RequestTemplate } from '../load/request.ts';
import type { Finding } from '../row.ts';
import type { ScenarioContext } from '../scenario.ts';
import { searchedCustomer } from '../seed/events.ts';
import type { RunningServer } from '../server.ts';

/** A running installation, whose latencies are compared with those of a smaller or larger one. */
export interface Grown {
  readonly installation: Installation;
  readonly server: RunningServer;
  readonly events: number;
}

interface Route {
  readonly name: string;
  readonly status?: number;
  request(grown: Grown): RequestTemplate | Promise<RequestTemplate>;
}

const asAdmin =
  (path: (grown: Grown) => string) =>
  (grown: Grown): RequestTemplate => ({
    method: 'GET',
    path: path(grown),
    headers: { authorization: grown.installation.adminToken },
  });

/** Routes whose answers are as long on the large installation as on the small one, or nearly. */
const routes: readonly Route[] = [
  { name: 'the last 100 events', request: asAdmin(() => '/api/admin/events') },
  {
    name: 'the last 40 events of a project',
    request: asAdmin(() => '/api/admin/search/events?project=IS:small&limit=40'),
  },
  {
    name: 'text search in one event',
    request: asAdmin(({ events }) => `/api/admin/search/events?query=${searchedCustomer(events)}`),
  },
  { name: 'the last 50 signals', request: asAdmin(() => '/api/admin/signals?limit=50') },
  { name: 'who caused events', request: asAdmin(() => '/api/admin/event-creators') },
  { name: 'the 10 flags of a project', request: asAdmin(() => '/api/admin/projects/small/features') },
  { name: 'client features, not modified', status: 304, request: notModified },
];

async function notModified({ server, installation }: Grown): Promise<RequestTemplate> {
  const path = '/api/client/features';
  const headers = { authorization: installation.backendToken };
  const response = await fetch(server.origin + path, { headers });
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  if (etag === null) throw new Error(`${path} was answered ${response.status} without an ETag header`);
  return { method: 'GET', path, headers: { ...headers, 'if-none-match': etag } };
}

/**
 * Compares the median latency of one client on a large and on a small installation, in turns. Allows a factor of two
 * for colder caches and deeper indexes; a scan instead of an index look-up would be a factor of a hundred.
 */
export async function compareRoutes(context: ScenarioContext, small: Grown, large: Grown): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, status = 200, request } of routes) {
    context.say(`${name}, small and large`);
    const p50 = async (grown: Grown) => {
      const options = { durationMs: 600, status };
      return (await aloneLatency(context, grown.server, await request(grown), options)).p50;
    };
    const compared = await interleave(
      Math.min(3, context.rounds),
      () => p50(small),
      () => p50(large),
    );
    findings.push({
      name: `${name}, p50 when large`,
      unit: 'ms',
      value: compared.value,
      floor: { name: 'ms when small', value: compared.floor },
      ratio: compared.ratio,
      range: compared.range,
      must: { of: 'ratio', atMost: 2 },
      detail: { rounds: compared.rounds },
    });
  }
  return findings;
}
