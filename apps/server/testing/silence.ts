import { eventsAfter } from './scenario.ts';
import type { TestServer } from './server.ts';
import { givenEndpoint, type TestEndpoint } from './signals.ts';

const minuteMs = 60_000;

/** Changes an endpoint by a PUT request; returns the answer. */
export function changeEndpoint(server: TestServer, { id, name }: Pick<TestEndpoint, 'id' | 'name'>, body: object) {
  return server.admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body: { name, ...body } });
}

/** Creates an endpoint that expects a signal every five minutes. */
export async function givenExpecting(server: TestServer, more: object = {}): Promise<TestEndpoint> {
  const endpoint = await givenEndpoint(server);
  const reply = await changeEndpoint(server, endpoint, { expectedMinutes: 5, ...more });
  if (reply.status !== 200) throw new Error(`changing the endpoint was answered ${reply.status}: ${reply.text}`);
  return endpoint;
}

/** Advances the clock and runs the jobs that are due, one of which detects silence. */
export async function pass(server: TestServer, minutes: number): Promise<void> {
  server.clock.advance(minutes * minuteMs);
  await server.app.service.jobs.runDue();
}

/** Returns the entry of a silent endpoint in the answer of `GET /api/admin/now`; undefined when it is not silent. */
export async function silentOf(server: TestServer, { id }: Pick<TestEndpoint, 'id'>) {
  const { json } = await server.admin.call('GET /api/admin/now');
  return json.silent.find(({ signalEndpointId }: { signalEndpointId: number }) => signalEndpointId === id);
}

/** Returns the types of the events after an event id that tell the beginning or the end of an endpoint's silence. */
export async function silenceEvents(
  server: TestServer,
  { id }: Pick<TestEndpoint, 'id'>,
  after: number,
): Promise<string[]> {
  const events = await eventsAfter(server, after);
  const ofEndpoint = events.filter(({ data }) => (data as { id?: number } | null)?.id === id);
  return ofEndpoint.map(({ type }) => type).filter((type) => /silent|heard/.test(type));
}
