import { expect } from 'vitest';
import { call } from './http-call.ts';
import type { Receiver } from './receiver.ts';
import type { Query } from './storage.ts';
import { until } from './until.ts';

const types = ['feature-environment-enabled', 'feature-environment-disabled', 'feature-lease-placed'];

/** Creates an integration that sends events to the receiver. */
export async function givenIntegrated(origin: string, token: string, { url }: Receiver): Promise<void> {
  const body = JSON.stringify({ provider: 'webhook', enabled: true, parameters: { url }, events: types });
  const answer = await call(origin, { method: 'POST', path: '/api/admin/addons', token, body });
  expect(answer.status).toBe(201);
}

/** Waits until no event waits for the integration. */
export async function untilDelivered(origin: string, token: string, timeoutMs: number): Promise<void> {
  await until('the deliveries of an integration', timeoutMs, async () => {
    const answer = await call(origin, { method: 'GET', path: '/api/admin/integrations/health', token });
    const [health] = (answer.body as { integrations: { waiting: number; dead: number }[] }).integrations;
    return health?.waiting === 0 && health.dead === 0;
  });
}

/** Expects that each event came, in order, and that a repeated event has the same message id. */
export async function expectDelivered(query: Query, { events }: Receiver): Promise<void> {
  const list = types.map((type) => `'${type}'`).join(', ');
  const rows = await query<{ id: number }>(`select id from events where type in (${list}) order by id`);
  const first = new Map<number, string>();
  for (const { id, messageId } of events) {
    expect(messageId).toBe(first.get(id) ?? messageId);
    first.set(id, messageId);
  }
  const stored = rows.map(({ id }) => Number(id));
  // Events before the creation of the integration are not sent.
  expect([...first.keys()]).toEqual(stored.filter((id) => id >= (events[0]?.id ?? 0)));
  expect(new Set(first.values()).size).toBe(first.size);
}
