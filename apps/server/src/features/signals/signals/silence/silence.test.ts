import { describe, expect, it } from 'vitest';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { givenEndpoint, send } from '#testing/signals.ts';
import { changeEndpoint, givenExpecting, pass, silenceEvents, silentOf } from '#testing/silence.ts';

const minuteMs = 60_000;

describe('an endpoint that expects a signal every five minutes', () => {
  const server = useServer({ signalEndpointsLimit: 100 });

  it('is silent without one: an event, Now, the list and the metric tell it, until one comes', async () => {
    const endpoint = await givenExpecting(server());
    await send(server(), endpoint, '{}');
    const sentAt = new Date(server().clock.now()).toISOString();
    const before = await lastEventId(server());
    await pass(server(), 4.9);
    expect(await silenceEvents(server(), endpoint, before)).toEqual([]);
    await pass(server(), 0.2);
    expect(await eventsAfter(server(), before)).toMatchObject([
      {
        type: 'signal-endpoint-silent',
        data: { id: endpoint.id, name: endpoint.name, expectedMinutes: 5, silentSince: sentAt },
      },
    ]);
    expect(await silentOf(server(), endpoint)).toMatchObject({ name: endpoint.name, silentSince: sentAt });
    const metrics = await server().anonymous.request('GET', '/metrics');
    expect(metrics.text).toContain(`signal_endpoint_silent{endpoint="${endpoint.name}"} 1`);
    await pass(server(), 60);
    expect(await silenceEvents(server(), endpoint, before)).toEqual(['signal-endpoint-silent']);

    await send(server(), endpoint, '{}');
    await pass(server(), 0.2);
    expect(await silenceEvents(server(), endpoint, before)).toEqual([
      'signal-endpoint-silent',
      'signal-endpoint-heard',
    ]);
    expect(await silentOf(server(), endpoint)).toBeUndefined();
    await pass(server(), 5.1);
    expect(await silenceEvents(server(), endpoint, before)).toHaveLength(3);
  });

  it('counts from the moment that it was enabled or its minutes were set', async () => {
    const endpoint = await givenExpecting(server());
    const params = { id: endpoint.id };
    await server().admin.call('POST /api/admin/signal-endpoints/:id/off', { params });
    const before = await lastEventId(server());
    await pass(server(), 60);
    expect(await silenceEvents(server(), endpoint, before)).toEqual([]);
    await server().admin.call('POST /api/admin/signal-endpoints/:id/on', { params });
    await pass(server(), 4);
    expect(await silenceEvents(server(), endpoint, before)).toEqual([]);
    await pass(server(), 2);
    expect(await silenceEvents(server(), endpoint, before)).toEqual(['signal-endpoint-silent']);
  });

  it('is no longer silent when nothing is expected any more', async () => {
    const endpoint = await givenExpecting(server());
    await pass(server(), 6);
    expect(await silentOf(server(), endpoint)).toBeDefined();
    const { json } = await changeEndpoint(server(), endpoint, { expectedMinutes: null });
    expect(json).toMatchObject({ expectedMinutes: null, silentSince: null });
    expect(await silentOf(server(), endpoint)).toBeUndefined();
  });

  it('is no longer silent when it takes no signals any more', async () => {
    const endpoint = await givenExpecting(server());
    const enabledUntil = new Date(server().clock.now() + 10 * minuteMs).toISOString();
    await changeEndpoint(server(), endpoint, { enabledUntil });
    const before = await lastEventId(server());
    await pass(server(), 6);
    expect(await silentOf(server(), endpoint)).toBeDefined();
    await pass(server(), 6);
    expect(await silentOf(server(), endpoint)).toBeUndefined();
    await pass(server(), 60);
    expect(await silenceEvents(server(), endpoint, before)).toEqual(['signal-endpoint-silent']);
  });

  it('keeps its state when something else about it changes, and hears no test signals', async () => {
    const endpoint = await givenExpecting(server());
    await pass(server(), 6);
    expect((await changeEndpoint(server(), endpoint, { description: 'Watchdog' })).json.silentSince).not.toBeNull();
    const params = { signalEndpointId: endpoint.id };
    const test = 'POST /api/admin/signal-endpoints/:signalEndpointId/signals';
    expect((await server().admin.call(test, { params, body: { payload: {} } })).status).toBeLessThan(300);
    await pass(server(), 1);
    expect(await silentOf(server(), endpoint)).toBeDefined();
  });

  it.each([0, -1, 1.5, 1441, '5'])('may not expect one every %j minutes', async (expectedMinutes) => {
    const endpoint = await givenEndpoint(server());
    expect((await changeEndpoint(server(), endpoint, { expectedMinutes })).status).toBe(400);
  });
});

describe('a server that was down', () => {
  it('does not take its own absence for silence, and keeps an endpoint silent that was', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-again'] };
    const first = await startServer(storage, settings);
    const [heard, silent] = [await givenExpecting(first), await givenExpecting(first)];
    await pass(first, 4);
    await send(first, heard, '{}');
    await pass(first, 2);
    expect(await silentOf(first, silent)).toBeDefined();
    await first.stop();
    first.clock.advance(60 * minuteMs);
    const second = await startServer(storage, settings, first.clock);
    await pass(second, 1);
    expect(await silentOf(second, heard)).toBeUndefined();
    expect(await silentOf(second, silent)).toBeDefined();
    await pass(second, 5);
    expect(await silentOf(second, heard)).toBeDefined();
    await second.stop();
    await storage.remove();
  });
});
