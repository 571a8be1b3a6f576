import { type Method, type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { statusesOf } from '../../apps/server/src/features/platform/system/openapi.ts';
import { expectProblem, lastEventId } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { loadScenarios } from './scenarios.ts';

// Checks each route of the table for the rules that hold for all routes, so a new route is checked without a new test.

const table = Object.entries(routes) as [RouteKey & keyof typeof routes, RouteSpec][];
const scenarios = await loadScenarios();

const methodOf = (key: RouteKey) => key.split(' ')[0] as Method;

describe.each(table)('%s', (key, spec) => {
  const ofRoute = scenarios.filter(({ route }) => route === (spec.aliasOf ?? key));

  it('has a scenario that succeeds', () => {
    expect(ofRoute.filter(({ status }) => status < 400)).not.toEqual([]);
  });

  it.runIf(statusesOf(spec).some((status) => status < 500))('is tested with a refusal', () => {
    expect(ofRoute.filter(({ status }) => status >= 400)).not.toEqual([]);
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

  it.each(table.filter(([, spec]) => spec.access !== 'public'))('%s answers 401 without a token', async (key) => {
    const before = await lastEventId(server());
    const reply = await server().anonymous.call(key, methodOf(key) === 'GET' ? {} : { body: {} });
    expect(reply.status).toBe(401);
    expectProblem(reply);
    expect(await lastEventId(server())).toBe(before);
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
