import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { createStorage, startServer } from '#testing/server.ts';

const settings = { allowPrivateIntegrationUrls: true, initAdminTokens: ['*:*.kept-over-a-restart'] };
/** How long the receiver takes to answer: longer than a stop without a message in flight. */
const slowMs = 300;
let received = 0;
let arrived = Promise.withResolvers<void>();
const receiver = createServer((request, response) => {
  received++;
  arrived.resolve();
  request.resume();
  setTimeout(() => response.end(), slowMs);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

it('a stop waits for the answer to a message in flight, so that it is not sent again after the next start', async () => {
  const storage = await createStorage();
  const server = await startServer(storage, settings);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const { id } = await givenIntegration(server, {
    provider: 'webhook',
    parameters: { url },
    events: ['feature-created'],
  });
  arrived = Promise.withResolvers();
  await givenFlag(server);
  await arrived.promise;
  await server.stop();
  const again = await startServer(storage, settings);
  try {
    // On PostgreSQL a claim without a result would have to end first.
    again.clock.advance(70_000);
    await again.app.service.deliveries.idle();
    const { json } = await again.admin.call('GET /api/admin/integrations/:id/deliveries', { params: { id } });
    expect(json.deliveries).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect(received).toBe(1);
  } finally {
    await again.stop();
    await storage.remove();
  }
});
