import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, send } from '#testing/signals.ts';

// With PostgreSQL, the windows of rate limits end by the system time, not by the clock of the test. The tests freeze
// the system time, so that no window ends during a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('refused signals', () => {
  const server = useServer({ signalRatePerSecond: 1, signalBurst: 1, signalMaxBodyBytes: 1000 });
  const recorded = async (change: () => Promise<unknown>) => {
    const before = await lastEventId(server());
    await change();
    await server().app.service.securityEvents.refusedSignals.flush();
    const events = await eventsAfter(server(), before);
    return events.filter(({ type }) => type === 'signals-refused');
  };

  it('are one event per endpoint, token and reason, with their number', async () => {
    const endpoint = await givenEndpoint(server());
    let limited = 0;
    const events = await recorded(async () => {
      for (let n = 0; n < 5; n++) if ((await send(server(), endpoint, '{}')).status === 429) limited++;
      for (let n = 0; n < 3; n++) await send(server(), { ...endpoint, token: 'signal_wrong' }, '{}');
      server().clock.advance(2000);
      vi.setSystemTime(Date.now() + 2000);
      await send(server(), endpoint, JSON.stringify({ text: 'x'.repeat(2000) }));
    });
    const of = (reason: string) => events.filter(({ data }) => (data as { reasons: string[] }).reasons[0] === reason);
    expect([events.length, limited > 1]).toEqual([3, true]);
    expect(of('rate limit')).toMatchObject([
      {
        createdByUserId: -1337,
        outcome: 'refused',
        project: null,
        origin: { address: '127.0.0.1' },
        summary: expect.stringContaining(`**${endpoint.name}** refused ${limited} requests`),
        data: { id: endpoint.id, name: endpoint.name, tokenId: expect.any(Number), refused: limited, addresses: 1 },
      },
    ]);
    expect(of('unknown token')).toMatchObject([{ data: { tokenId: null, tokenName: null, refused: 3 } }]);
    expect(of('too large')).toMatchObject([{ data: { tokenName: expect.any(String), refused: 1 } }]);
    expect(JSON.stringify(events)).not.toContain('signal_wrong');
  });

  it('of a disabled endpoint are no event', async () => {
    const endpoint = await givenEndpoint(server());
    const events = await recorded(async () => {
      await server().admin.call('POST /api/admin/signal-endpoints/:id/off', { params: { id: endpoint.id } });
      expect((await send(server(), endpoint, '{}')).status).toBe(404);
    });
    expect(events).toEqual([]);
  });

  it('of more than fifty endpoints are a bounded number of events', async () => {
    const { count } = server().app.service.securityEvents.refusedSignals;
    const events = await recorded(async () => {
      for (let endpointId = 1; endpointId <= 200; endpointId++)
        for (const reason of ['rate limit', 'no credentials'] as const)
          count({ endpointId, tokenId: null, reason, address: '10.0.0.1' });
    });
    expect(events.length).toBeLessThanOrEqual(51);
    const refused = events.map(({ data }) => (data as { refused: number }).refused);
    expect(refused.reduce((sum, n) => sum + n, 0)).toBe(400);
    expect(events.at(-1)?.data).toMatchObject({ id: null, name: null, reasons: ['no credentials', 'rate limit'] });
  });
});
