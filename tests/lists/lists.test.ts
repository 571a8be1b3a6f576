import { handledRoutes, type RouteKey, type RouteSpec, type routes } from '@yardarm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStorage, startServer, type TestServer } from '../../apps/server/testing/server.ts';
import { onReads } from '../../apps/server/testing/statements.ts';
import { type Rooted, rootedWorld } from './world.ts';

// Every route that answers a list must need as many SQL statements for many rows as for few. The lists are found in the
// contract. The test of a new list fails until world.ts adds rows to it, or until it is named below with a reason.

type Key = keyof typeof routes;

/**
 * Lists that are not tested here, with the reason: they are bounded, they are read with a fixed number of statements,
 * or other tests count their statements.
 */
const fixed: Readonly<Partial<Record<Key, string>>> = {
  'GET /api/admin/change-requests/break-glass': '200 at most, in one statement',
  'GET /api/admin/segments/:id/change-requests/config': 'in two statements, whatever uses the segment',
  'GET /api/admin/tokens': 'in two statements',
  'GET /api/admin/user/tokens': 'ten at most',
  'GET /api/admin/service-account/:id/token': 'ten at most',
  'GET /api/admin/user/sessions': 'a hundred at most, in one statement',
  'GET /api/admin/user/logins': 'twenty at most, in one statement',
  'GET /api/admin/user-admin/:id/sessions': 'a hundred at most, in one statement',
  'GET /api/admin/segments/strategies/:strategyId': 'five at most',
  'GET /api/admin/projects/:projectId/features/:featureName/lifecycle': 'five stages',
  'GET /api/admin/instance-admin/statistics': 'three ranges of time',
  'GET /api/admin/feature-types': 'the types are fixed',
  'GET /api/admin/roles/:roleId': 'the permissions are fixed',
  'GET /api/admin/ui-config': 'the links are fixed',
  'GET /api/admin/api-tokens/:name': 'of one name',
  'GET /api/admin/strategies/:name': 'parameters stand in one row',
  'GET /api/admin/context/:contextField': 'legal values stand in one row',
  'GET /api/admin/projects/:projectId/context/:contextField': 'legal values stand in one row',
  'GET /api/admin/integrations/:id/deliveries/:deliveryId': 'a hundred attempts at most, in one statement',
  'GET /api/admin/signal-sources': 'the sources are fixed',
  'GET /api/admin/signal-endpoints/:id/subscriptions': 'twenty at most, in one statement',
  'GET /api/admin/signal-endpoints/:id/refusals': 'the reasons are fixed, and the tokens of an endpoint are few',
  'GET /api/admin/action-calls/signing-keys': 'two at most',
  'GET /api/admin/incidents': 'nine statements at most, of 200 incidents',
  'GET /api/admin/incidents/:incidentId': 'fifteen statements at most, of 5,000 changes',
  'GET /api/admin/incident-report': 'fifteen statements at most, of 100 incidents and 2,000 changes',
  'GET /api/admin/acknowledgements': 'a thousand at most, in one statement',
  'GET /api/admin/automation-overrides': 'a thousand at most, in one statement',
  'GET /api/admin/impact-metrics': 'in two statements, and one more for each of 20 groups at most',
  'GET /api/admin/impact-metrics/names': 'in one statement, of as many series as the settings allow',
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards':
    'twenty at most, in one statement',
  'GET /api/admin/projects/:projectId/features/:featureName/impact-metrics/config': 'twenty at most, in one statement',
  'GET /api/admin/impact-metrics/config': 'fifty at most, in one statement',
  'GET /api/admin/release-plan-templates': 'a thousand at most, in one statement',
  'GET /api/admin/release-plan-templates/:templateId': 'milestones stand in one row',
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': 'one at most',
  'GET /api/admin/action-runs/:runId/attempts': 'a hundred at most, in one statement',
  'GET /api/admin/addons/:id': 'types, projects and environments stand in one row',
  'GET /api/admin/projects/:projectId/actions/pairs': 'made of the sets of the project, which are read together',
  'GET /api/admin/projects/:projectId/features/:featureName/connections':
    'in a fixed number of statements, each of limited size',
  'GET /api/admin/events/feed': 'reads the log in parts of a limited size',
  'GET /api/admin/segments/:id': 'constraints stand in one row',
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants':
    'variants stand in one row',
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId':
    'constraints and variants stand in one row, segments are five at most',
  'GET /api/admin/projects/:projectId/features/:parent/parent-variants': 'variants stand in rows of strategies',
  'GET /api/admin/projects/:projectId/insights': 'counted by the tests of insights',
  'GET /api/admin/projects/:projectId/dora': 'a part of the insights',
  'GET /api/admin/projects/:projectId/status': 'a row for each of 365 days at most, in one statement',
  'GET /api/admin/metrics/applications/:appName': 'counted by the tests of applications',
  'GET /api/admin/metrics/applications/:appName/overview': 'counted by the tests of applications',
  'GET /api/admin/metrics/instances/:appName/environment/:environment': 'counted by the tests of applications',
};

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the input for a list. Some paths name parameters in another way than the world, and some pages are short. */
function inputOf(key: Key, { params, ofMember, ofReview }: Rooted): Input {
  if (key.startsWith('GET /api/admin/projects/:projectId/change-requests') && !/config|available/.test(key)) {
    return ofReview;
  }
  const by = (name: string, value: string | undefined) => ({ params: { ...params, [name]: value ?? '' } });
  const special: Readonly<Partial<Record<Key, Input>>> = {
    'GET /api/admin/events': { query: { project: params['quiet'] ?? '' } },
    'GET /api/admin/search/events': { query: { project: `IS:${params['quiet']}` } },
    'GET /api/admin/search/features': { query: { limit: 1000 } },
    'GET /api/admin/user-admin/search': { query: { q: 'person' } },
    'GET /api/admin/user-admin/:id/permissions': {
      ...by('id', params['memberId']),
      query: { project: params['projectId'] ?? '' },
    },
    'GET /api/admin/service-account/:id/permissions': {
      ...by('id', params['robotId']),
      query: { project: params['projectId'] ?? '' },
    },
    'GET /api/admin/addons/:id/events': by('id', params['integrationId']),
    'GET /api/admin/integrations/:id/deliveries': by('id', params['integrationId']),
    'GET /api/admin/segments/:id/strategies': by('id', params['segmentId']),
    'GET /api/admin/projects/:projectId/context/:contextField/strategies': by('contextField', params['ofProject']),
    'GET /api/admin/projects/:projectId/features/:featureName/parents': by('featureName', params['lone']),
    'GET /api/admin/tags/:type': by('type', 'simple'),
    'GET /api/admin/client-metrics/features/:name': by('name', params['featureName']),
    'GET /api/admin/client-metrics/features/:name/raw': by('name', params['featureName']),
    'GET /api/admin/user': { headers: ofMember },
    'GET /api/admin/user/profile': { headers: ofMember },
    'GET /api/admin/user/roles': {
      ...by('projectId', params['projectId']),
      query: { projectId: params['projectId'] ?? '' },
      headers: ofMember,
    },
  };
  return special[key] ?? {};
}

const statements: string[] = [];
const storage = await createStorage();
let server: TestServer;
let world: Rooted;

const few = 3;
const many = 30;

interface Measured {
  readonly status: number;
  readonly rows: number;
  readonly statements: number;
}
const measured = new Map<Key, Measured[]>();

/** Returns the names of the answer's fields that are arrays, or `[]` when the answer itself is an array. */
function listsIn(spec: RouteSpec): string[] {
  const answer = spec.answers[200];
  if (answer === undefined || !('schema' in answer)) return [];
  const { def } = bare(answer.schema);
  if (def.type === 'array') return ['[]'];
  if (def.type !== 'object') return [];
  return Object.entries(def.shape).flatMap(([name, field]) => (bare(field).def.type === 'array' ? [name] : []));
}

interface Bare {
  readonly def: {
    readonly type: string;
    readonly shape: Readonly<Record<string, unknown>>;
    readonly innerType?: unknown;
  };
}

function bare(schema: unknown): Bare {
  const typed = schema as unknown as Bare;
  return typed.def.innerType === undefined ? typed : bare(typed.def.innerType);
}

const lists = (Object.entries(handledRoutes) as [Key & RouteKey, RouteSpec][]).filter(
  ([key, spec]) =>
    key.startsWith('GET /api/admin/') &&
    spec.access !== 'public' &&
    listsIn(spec).length > 0 &&
    fixed[key] === undefined,
);

async function measure(key: Key, spec: RouteSpec): Promise<Measured> {
  const call = { params: world.params, headers: world.headers, ...inputOf(key, world) };
  const ask = () => server.anonymous.call(key, call as Parameters<typeof server.anonymous.call>[1]);
  // The first request fills caches.
  await ask();
  let best = Number.POSITIVE_INFINITY;
  let rows = 0;
  let status = 0;
  // Background work sends statements too, so the smallest of several counts is that of the request.
  for (let tries = 0; tries < 5; tries++) {
    await server.app.service.deliveries.settled();
    statements.length = 0;
    const reply = await ask();
    best = Math.min(best, statements.length);
    status = reply.status;
    if (status !== 200) return { status, rows, statements: best };
    const lengths = listsIn(spec).map((name) => (name === '[]' ? reply.json : reply.json[name])?.length ?? 0);
    rows = lengths.reduce((sum, length) => sum + length, 0);
  }
  return { status, rows, statements: best };
}

beforeAll(async () => {
  const lifted = {
    signalEndpointsLimit: 1000,
    signalTokensLimit: 1000,
    environmentLimit: 1000,
    strategyLimit: 1000,
    segmentLimit: 1000,
    actionSetsLimit: 1000,
  };
  server = await startServer(
    storage,
    lifted,
    undefined,
    onReads((sql) => void statements.push(sql)),
  );
  world = await rootedWorld(server);
  for (const size of [few, many]) {
    for (let more = size === few ? 0 : few; more < size; more++) await world.grow();
    for (const [key, spec] of lists) measured.set(key, [...(measured.get(key) ?? []), await measure(key, spec)]);
  }
}, 300_000);

afterAll(async () => {
  await server?.stop();
  await storage.remove();
});

describe.each(lists.map(([key]) => key))('%s', (key) => {
  it('takes as many statements for many rows as for few', () => {
    const [before, after] = measured.get(key) ?? [];
    expect([before?.status, after?.status]).toEqual([200, 200]);
    expect(after?.rows, 'the list must have grown').toBeGreaterThan((before?.rows ?? 0) + 20);
    expect(after?.statements).toBe(before?.statements);
  });
});
