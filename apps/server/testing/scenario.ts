import { type EventType, type Routes, routes } from '@yardarm/contract';
import { expect, it } from 'vitest';
import type { Call, Reply } from './client.ts';
import { refusalOf } from './refusal.ts';
import type { TestServer } from './server.ts';

/** The sender of the request: the admin token, a service account with the root role Editor or Viewer, or no token. */
export type Who = 'admin' | 'editor' | 'viewer' | 'anonymous';

/**
 * A test of one route: a request, the expected answer and all events that the request records (none when `events` is
 * absent). The walk in tests/walk checks that each route and each of its event types has a scenario. Why a request is
 * refused is recorded in the snapshot beside the test, and a refusal for another reason fails it.
 */
export interface Scenario {
  readonly route: keyof Routes;
  readonly name: string;
  readonly as?: Who;
  /** Prepares what the request needs. Returns the parts of the request, which replace those of `call`. */
  readonly given?: (server: TestServer) => Promise<Call>;
  readonly call?: Call;
  /** The expected status; by default the one with which the contract lets the route succeed. */
  readonly status?: number;
  readonly events?: readonly ExpectedEvent[];
  /** The body must match this object (vitest's toMatchObject). */
  readonly answer?: object;
  /** Whether the reference shows this scenario as the example of its route, in place of the first that succeeds. */
  readonly isExample?: true;
  /** Further checks of the answer. */
  readonly check?: (reply: Reply, server: TestServer) => void | Promise<void>;
}

export interface ExpectedEvent {
  readonly type: EventType;
  readonly project?: string | null;
  readonly featureName?: string | null;
  readonly environment?: string | null;
  readonly data?: unknown;
  readonly preData?: unknown;
  readonly cause?: object;
  readonly reason?: string | null;
}

type Request = Call | ((server: TestServer) => Promise<Call>);

/** Returns scenarios of requests of the administrator that a route refuses with this status, by their names. */
export function refused(route: Scenario['route'], status: number, requests: Readonly<Record<string, Request>>) {
  return refusedTo('admin', route, status, requests);
}

/** Returns scenarios like {@link refused} of another sender. */
export function refusedTo(
  as: Who,
  route: Scenario['route'],
  status: number,
  requests: Readonly<Record<string, Request>>,
): Scenario[] {
  return Object.entries(requests).map(([name, request]) => {
    const parts = typeof request === 'function' ? { given: request } : { call: request };
    return { route, name, as, status, ...parts };
  });
}

/** Declares a test of each scenario; they run in this order on one server. */
export function testScenarios(server: () => TestServer, scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
}

/** Returns the status that a scenario expects. */
export function statusOf({ route, name, status }: Scenario): number {
  if (status !== undefined) return status;
  const [only, ...others] = Object.keys(routes[route].answers);
  if (others.length > 0)
    throw new Error(`The scenario “${route} ${name}” has to name a status, because there are several`);
  return Number(only);
}

export async function runScenario(server: TestServer, scenario: Scenario): Promise<void> {
  const status = statusOf(scenario);
  const call = { ...scenario.call, ...(await scenario.given?.(server)) };
  // Get the client first: the first use of an editor or viewer creates the service account, which records events.
  const client = await clientOf(server, scenario.as ?? 'admin');
  const before = await lastEventId(server);
  const reply = await client.call(scenario.route, call);
  expect(`${reply.status} ${reply.status === status ? '' : reply.text}`.trim()).toBe(String(status));
  if (reply.status >= 400) {
    expectProblem(reply);
    expect(refusalOf(reply)).toMatchSnapshot(`${scenario.route} ${scenario.name}`);
  }
  if (scenario.answer !== undefined) expect(reply.json).toMatchObject(scenario.answer);
  await scenario.check?.(reply, server);
  expect(await eventsAfter(server, before)).toMatchObject(scenario.events ?? []);
}

/** Expects the body of an error to have an id, a name and a message (docs/spec#error-body). */
export function expectProblem(reply: Reply): void {
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.json).toMatchObject({ id: expect.any(String), name: expect.any(String), message: expect.any(String) });
}

/** Returns the id of the newest event; 0 when there is none. */
export async function lastEventId(server: TestServer): Promise<number> {
  const reply = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
  return reply.json.events[0]?.id ?? 0;
}

/** Returns the events with a greater id, oldest first. */
export async function eventsAfter(server: TestServer, id: number): Promise<ExpectedEvent[]> {
  const reply = await server.admin.call('GET /api/admin/events', { query: { after: id, limit: 1000 } });
  return reply.json.events;
}

/** Returns a client of the sender of a request. */
export async function clientOf(server: TestServer, who: Who) {
  if (who === 'admin') return server.admin;
  if (who === 'anonymous') return server.anonymous;
  return server.client(await server.tokenOf(who));
}
