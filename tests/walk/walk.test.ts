import { type Method, type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../apps/server/testing/client.ts';
import { refusalOf } from '../../apps/server/testing/refusal.ts';
import { expectProblem, lastEventId } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { loadScenarios } from './scenarios.ts';

// Checks each route of the table for the rules that hold for all routes, so a new route is checked without a new test.

const table = Object.entries(routes) as [RouteKey & keyof typeof routes, RouteSpec][];
const scenarios = await loadScenarios();

const methodOf = (key: RouteKey) => key.split(' ')[0] as Method;

/** Why a request without a token is refused, by access. */
const withoutToken: Readonly<Record<string, string>> = {
  'signed-in': '401 AuthenticationRequired: You must log in or send a token.',
  backend: '401 UnauthorizedError: The Authorization header is missing. Send a backend API token in it.',
  frontend: '401 UnauthorizedError: The Authorization header is missing. Send a frontend API token in it.',
  sdk: '401 UnauthorizedError: The Authorization header is missing. Send a backend or frontend API token in it.',
  replica: '401 UnauthorizedError: The Authorization header is missing. Send a replica API token in it.',
  signal:
    '401 UnauthorizedError: The token of the signal endpoint is missing or not valid. Send one in the Authorization header: Bearer signal_…',
  stream:
    '401 UnauthorizedError: The URL has no stream token. Use the event stream URL from an answer of POST /ofrep/v1/evaluate/flags.',
};
const unknownToken =
  '401 UnauthorizedError: The API token is unknown or has expired. Ask an administrator for a new token.';

/** The kinds of API tokens that routes of SDKs and replicas take, by access. */
const kinds = { backend: ['backend'], frontend: ['frontend'], sdk: ['backend', 'frontend'], replica: ['replica'] };
const ofSdks = table.filter(([, { access }]) => typeof access === 'string' && access in kinds);
const wrongKind = (access: keyof typeof kinds, kind: string) =>
  `403 ForbiddenError: This route requires a ${kinds[access].join(' or ')} API token; the request has a token of kind ${kind}.`;

describe.each(table)('%s', (key, spec) => {
  const ofRoute = scenarios.filter(({ route }) => route === (spec.aliasOf ?? key));

  it('has a scenario that succeeds', () => {
    expect(ofRoute.filter(({ status }) => status < 400)).not.toEqual([]);
  });

  it('has a scenario for each declared event, and records no others', () => {
    const seen = new Set(ofRoute.flatMap(({ events }) => events ?? []).map(({ type }) => type));
    expect([...seen].sort()).toEqual([...spec.emits].sort());
  });

  // This GET changes data: another site (the identity provider) can only redirect a browser to it by GET.
  const isLedBack = key === 'GET /auth/oidc/callback';

  it.runIf(methodOf(key) === 'GET' && !isLedBack)('records nothing, since it reads', () => {
    expect(spec.emits).toEqual([]);
  });

  it('may be called with the declared permissions only', () => {
    const publicPaths =
      /^GET \/$|^\w+ \/(health|ready|metrics|internal-backstage\/prometheus|docs|auth|logout|invite|edge)\b/;
    expect(spec.access === 'public').toBe(publicPaths.test(key));
  });
});

describe('every route', () => {
  const server = useServer();

  const call = (key: RouteKey): Call => (methodOf(key) === 'GET' ? {} : { body: {} });
  const withToken = ofSdks.map(([key, { access }]) => [key, access as keyof typeof kinds] as const);

  it.each(table.filter(([, spec]) => spec.access !== 'public'))('%s answers 401 without a token', async (key, spec) => {
    const before = await lastEventId(server());
    const reply = await server().anonymous.call(key, call(key));
    expect(refusalOf(reply)).toBe(withoutToken[typeof spec.access === 'object' ? 'signed-in' : spec.access]);
    expectProblem(reply);
    expect(await lastEventId(server())).toBe(before);
  });

  it.each(withToken)('%s answers 401 to an unknown token, and 403 to tokens of other kinds', async (key, access) => {
    const frontend = (await givenToken(server(), { type: 'frontend' })).secret;
    const backend = (await givenToken(server(), { type: 'backend' })).secret;
    const replica = (await givenToken(server(), { type: 'replica' })).secret;
    const ask = (token: string) => server().client(token).call(key, call(key));
    expect(refusalOf(await ask('default:development.unknown'))).toBe(unknownToken);
    expect(refusalOf(await ask('Bearer default:development.unknown'))).toBe(unknownToken);
    for (const [kind, token] of Object.entries({ personal: 'user:0123456789', frontend, backend, replica })) {
      const reply = await ask(token);
      if (kinds[access].includes(kind)) expect([401, 403]).not.toContain(reply.status);
      else expect(refusalOf(reply)).toBe(wrongKind(access, kind));
    }
    expect(refusalOf(await server().admin.call(key, call(key)))).toBe(wrongKind(access, 'admin'));
  });

  // A project that does not exist is refused before the body is looked at.
  const params = { projectId: 'default' };
  const withBody = table.filter(([, spec]) => spec.body !== undefined && typeof spec.access === 'object');

  it.each(withBody)('%s answers 415 to a body of another type', async (key) => {
    const reply = await server().admin.call(key, {
      params,
      raw: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(reply.status).toBe(415);
    expectProblem(reply);
  });

  it.each(withBody)('%s answers 400 or 404 to a body that is not JSON', async (key) => {
    const before = await lastEventId(server());
    const reply = await server().admin.call(key, {
      params,
      raw: '{"name":',
      headers: { 'content-type': 'application/json' },
    });
    expect([400, 404]).toContain(reply.status);
    expectProblem(reply);
    expect(await lastEventId(server())).toBe(before);
  });

  it.each(withBody)('%s answers 413 to a body beyond the limit', async (key) => {
    const reply = await server().admin.call(key, {
      params,
      raw: ' '.repeat(102_401),
      headers: { 'content-type': 'application/json' },
    });
    expect([400, 413]).toContain(reply.status);
    expectProblem(reply);
  });

  it.each(table)('%s answers 405 with the allowed methods to another method', async (key) => {
    const url = key.slice(key.indexOf(' ') + 1);
    const other = ['OPTIONS', 'PATCH'].find((method) => !Object.hasOwn(routes, `${method} ${url}`)) ?? 'TRACE';
    const reply = await server().admin.request(other, url.replace(/:\w+/g, 'x'));
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')?.split(', ')).toContain(methodOf(key));
    expectProblem(reply);
  });
});
