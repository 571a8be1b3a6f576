import { routes } from '@yardarm/contract';
import { createInstallation } from '../installation.ts';
import { aloneLatency } from '../latency.ts';
import type { LatencySummary } from '../load/histogram.ts';
import type { Scenario } from '../scenario.ts';
import { seedOrganisation } from '../seed/organisation.ts';
import { createSender } from './signal-sender.ts';

const mustMs = 50;
/** With fewer answers, the slowest one alone would be the percentile. */
const answersForP99 = 150;

/**
 * Values of path parameters. Where a name has several meanings, the key is a part of the path that ends with the
 * parameter.
 */
const parameters: Readonly<Record<string, string>> = {
  projectId: 'team-0',
  featureName: 'team-0-0',
  parent: 'team-0-0',
  'client-metrics/features/:name': 'team-0-0',
  environment: 'development',
  contextField: 'userId',
  signalEndpointId: '1',
  roleId: '4',
  'segments/:id': '1',
  'user-admin/:id': '1',
};

/** Not a list: the complete installation in one file. */
const exportOfAll = 'GET /api/admin/state';
/** Not a list: a stream without an end. */
const activity = 'GET /api/admin/activity';

/**
 * Returns the paths of all lists of the administration API, and the routes of lists that are left out. A route is a
 * list when its path does not end with a parameter.
 */
function listPaths(): { readonly measured: string[]; readonly left: string[] } {
  const lists = Object.keys(routes).filter(
    (route) => route !== exportOfAll && route !== activity && /^GET \/api\/admin\/(.*\/)?[^:/][^/]*$/.test(route),
  );
  const filled = lists.map((route) => ({ route, path: fill(route.slice('GET '.length)) }));
  return {
    measured: filled.flatMap(({ path }) => path ?? []),
    left: [exportOfAll, ...filled.filter(({ path }) => path === undefined).map(({ route }) => route)],
  };
}

/**
 * Returns the path with values of its parameters; undefined when there is no value, as nothing of that kind is seeded.
 */
function fill(path: string): string | undefined {
  const places = path.match(/[^/:]+\/:\w+|:\w+/g) ?? [];
  let filled = path;
  for (const place of places) {
    const name = place.slice(place.indexOf(':') + 1);
    const known = Object.entries(parameters).find(([key]) => key === name || (key.includes(':') && path.includes(key)));
    if (known === undefined) return undefined;
    filled = filled.replace(`:${name}`, known[1]);
  }
  return filled;
}

/** Measures the lists of an installation that many teams have used for years. */
export const lists: Scenario = {
  name: 'lists',
  title: 'every list of the administration API at 10,000 flags in 50 projects and 5 environments',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (async () => {
      await using server = await installation.start();
      await createSender(server, installation.adminToken);
    })();
    context.say('filling a database');
    const size = context.smoke
      ? { projects: 2, flagsPerProject: 10, people: 4 }
      : { projects: 50, flagsPerProject: 200, people: 100 };
    await seedOrganisation(installation, size);
    await using server = await installation.start();
    const headers = { authorization: installation.adminToken };
    const { measured, left } = listPaths();
    // A smoke run measures a few: each takes a process of its own, and the suite asks for every list.
    const results: { path: string; latency: LatencySummary }[] = [];
    for (const path of measured.slice(0, context.count(measured.length))) {
      const { status } = await fetch(server.origin + path, { headers });
      if (status !== 200) {
        left.push(`GET ${path}: ${status}`);
        continue;
      }
      context.say(path);
      const request = { method: 'GET', path, headers };
      const first = await aloneLatency(context, server, request, { durationMs: 800 });
      const isEnough = context.smoke || first.count >= answersForP99;
      const durationMs = Math.ceil(answersForP99 * first.mean);
      results.push({ path, latency: isEnough ? first : await aloneLatency(context, server, request, { durationMs }) });
    }
    const slowest = results.sort((a, b) => b.latency.p99 - a.latency.p99);
    return slowest.slice(0, 5).map(({ path, latency }, index) => ({
      name: `${index === 0 ? `slowest of ${results.length} lists: ` : ''}${path.replace('/api/admin/', '')}, p99`,
      unit: 'ms',
      value: latency.p99,
      must: { of: 'value', atMost: mustMs },
      detail: index === 0 ? { all: results, notMeasured: left } : { latency },
    }));
  },
};
