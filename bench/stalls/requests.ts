import { randomBytes } from 'node:crypto';
import { replicationProtocol, routes } from '@yardarm/contract';
import type { Installation } from '../installation.ts';

/** A request whose effect on the event loop is measured. */
export interface StallRequest {
  /** The route as the contract names it, with what the request adds to it. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Makes the body of a request that cannot be sent twice. */
  readonly freshBody?: () => unknown;
  /** The status that must be answered. */
  readonly status: number;
  /** True for a stream, which never ends: reading stops after its first piece. */
  readonly endless: boolean;
}

/**
 * The values of path parameters. A key is the name of a parameter (`project`), or a part of the path that ends with it
 * (`segments/:id`) where the same name means different things in different paths.
 */
export type PathValues = Readonly<Record<string, string>>;

/** An installation in which every path of the contract names something. */
export interface Filled {
  readonly values: PathValues;
  /** The session of a user: some routes are about the caller's account, which a token does not have. */
  readonly cookie: string;
}

type Key = keyof typeof routes;

/** Routes that answer another status than 200 here, and why. */
const otherStatus: Readonly<Partial<Record<Key, number>>> = {
  // Single sign-on is not configured.
  'GET /auth/oidc/login': 422,
  'GET /auth/oidc/callback': 401,
  // The token of a password reset is only in the link that the user gets, so this request has an unknown one.
  'GET /auth/reset/validate': 401,
  // The bench reports no impact metrics.
  'GET /api/admin/impact-metrics': 404,
};

const queries: Readonly<Partial<Record<Key, string>>> = {
  'GET /auth/reset/validate': '?token=unknown',
  'GET /api/replica/stream': `?protocol=${replicationProtocol}`,
  'GET /api/admin/incident-report': '?from=IS:2020-01-01&to=IS:2099-01-01',
  'GET /api/admin/impact-metrics': '?metricName=unleash_counter_bench&range=day&aggregationMode=rps',
};

/** Routes that are left out, because their stream needs a token made for one caller. Other streams are measured. */
const left: readonly Key[] = ['GET /ofrep/v1/event-stream'];

/** One request of every GET route of the contract. Throws for a path parameter without a value. */
export function everyGet(installation: Installation, { values, cookie }: Filled): StallRequest[] {
  const keys = (Object.keys(routes) as Key[]).filter((key) => key.startsWith('GET ') && !left.includes(key));
  return keys.map((key) => {
    const { access, answers } = routes[key] as { access: unknown; answers: Record<number, { kind: string }> };
    return {
      name: key,
      method: 'GET',
      path: filled(key.slice('GET '.length), values) + (queries[key] ?? ''),
      headers: key.startsWith('GET /api/admin/user/') ? { cookie } : { authorization: tokenFor(access, installation) },
      status: otherStatus[key] ?? (answers[200] === undefined ? Number(Object.keys(answers)[0]) : 200),
      endless: answers[200]?.kind === 'events',
    };
  });
}

/**
 * Returns reads of everything that need a body or a query, which {@link everyGet} does not send, and the largest
 * change.
 */
export function readsOfAll(installation: Installation, project: string, flag: string): StallRequest[] {
  const admin = (method: 'GET' | 'POST', path: string, body?: unknown): StallRequest => ({
    name: `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`,
    method,
    path,
    headers: { authorization: installation.adminToken },
    ...(body === undefined ? {} : { body }),
    status: 200,
    endless: false,
  });
  const context = { appName: 'app-0', userId: 'customer-1-1', country: 'de' };
  return [
    admin('GET', '/api/admin/metrics/applications?limit=1000'),
    admin('GET', `/api/admin/projects/${project}/applications?limit=100`),
    admin('GET', '/api/admin/search/features?limit=1000'),
    admin('GET', '/api/admin/search/features?query=team&limit=1000&sortBy=lastSeenAt'),
    admin('GET', '/api/admin/search/events?query=customer&limit=1000'),
    admin('GET', '/api/admin/signals?limit=1000'),
    admin('GET', `/api/admin/client-metrics/features/${flag}/raw?hoursBack=2184`),
    admin('POST', '/api/admin/features-batch/export', { environment: 'development', tag: 'everyone' }),
    admin('POST', '/api/admin/features-batch/export', { environment: 'development', project }),
    admin('POST', '/api/admin/features-batch/export', { environment: 'development', features: [] }),
    {
      ...admin('POST', '/api/admin/features-batch/import'),
      name: `POST /api/admin/features-batch/import of ${importedFlags} new flags`,
      freshBody: () => ({ project, environment: 'development', data: exportOf(importedFlags) }),
    },
    admin('POST', '/api/admin/playground', { environment: 'development', projects: '*', context }),
    admin('POST', '/api/admin/playground/advanced', { environments: ['development'], projects: '*', context }),
    {
      ...admin('POST', '/api/frontend', { context }),
      headers: { authorization: installation.frontendToken },
    },
    {
      ...admin('POST', '/ofrep/v1/evaluate/flags', { context: { targetingKey: 'customer-1-1' } }),
      headers: { authorization: installation.backendToken },
    },
  ];
}

const importedFlags = 5000;

/** Returns an export of so many flags, with two strategies each and with new names. */
function exportOf(count: number) {
  const prefix = randomBytes(4).toString('hex');
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  const isOne = { contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] };
  return {
    features: names.map((name) => ({ name, type: 'release', description: 'imported' })),
    featureStrategies: names.flatMap((featureName) =>
      [[], [isOne]].map((constraints) => ({
        name: 'flexibleRollout',
        featureName,
        parameters: { rollout: '50', stickiness: 'default', groupId: featureName },
        constraints,
      })),
    ),
    featureEnvironments: names.map((featureName) => ({ name: featureName, featureName, enabled: true })),
    featureTags: names.map((featureName) => ({ featureName, tagType: 'simple', tagValue: prefix })),
  };
}

function tokenFor(access: unknown, installation: Installation): string {
  if (access === 'backend') return installation.backendToken;
  if (access === 'frontend') return installation.frontendToken;
  if (access === 'replica') return installation.replicaToken;
  return installation.adminToken;
}

function filled(path: string, values: PathValues): string {
  return path.replaceAll(/:(\w+)/g, (_match, name: string) => {
    const special = Object.keys(values).find(
      (key) => key.includes('/') && path.includes(key) && key.endsWith(`:${name}`),
    );
    const value = values[special ?? name];
    if (value === undefined) throw new Error(`${path} has no value for :${name}. Name one in bench/stalls/fill.ts.`);
    return encodeURIComponent(value);
  });
}
