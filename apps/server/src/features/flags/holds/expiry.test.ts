import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { timeText } from '#kernel/clock.ts';
import { givenCaller } from '#testing/access.ts';
import { type FlagEnvironmentParams, givenEnabled } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';

const server = useServer();
const holdsPath = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/leases' as const;
const holdsOfFlag = '/api/admin/projects/:projectId/features/:featureName/leases' as const;
const hour = 3_600_000;
const minute = 60_000;

/** Returns a function that fetches the flag as SDKs receive it. */
async function sdk({ featureName, environment }: FlagEnvironmentParams) {
  const client = await givenSdk(server(), { environment });
  return async () => {
    const { json } = await client.call('GET /api/client/features');
    return json.features.find(({ name }: { name: string }) => name === featureName) as { enabled: boolean };
  };
}

describe('expiry of holds', () => {
  it('rejects an expiry that is not in the future', async () => {
    const params = await givenEnabled(server());
    const body = { effect: 'off', expiresAt: new Date(server().clock.now()).toISOString() };
    expect((await server().admin.call(`POST ${holdsPath}`, { params, body })).status).toBe(400);
  });

  it('ends each hold at its own time', async () => {
    const [short, long] = [await givenEnabled(server()), await givenEnabled(server())];
    const [servedShort, servedLong] = [await sdk(short), await sdk(long)];
    const until = (ms: number) => new Date(server().clock.now() + ms).toISOString();
    await givenHold(server(), long, { effect: 'off', expiresAt: until(2 * hour) });
    await givenHold(server(), short, { effect: 'off', expiresAt: until(hour) });
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect([(await servedShort()).enabled, (await servedLong()).enabled]).toEqual([true, false]);
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect((await servedLong()).enabled).toBe(true);
  });

  it('is announced ten minutes before, once, with the cause of the hold', async () => {
    const params = await givenEnabled(server());
    const until = (ms: number) => new Date(server().clock.now() + ms).toISOString();
    // Two holds of the flag end later, of which one is older.
    await givenHold(server(), params, { effect: 'off', key: 'older', expiresAt: until(3 * hour) });
    const { id } = await givenHold(server(), params, { effect: 'off', expiresAt: until(hour) });
    await givenHold(server(), params, { effect: 'off', key: 'newer', expiresAt: until(3 * hour) });
    await givenHold(server(), await givenEnabled(server()), { effect: 'off', expiresAt: until(minute) });
    const before = await lastEventId(server());
    const announced = async () => {
      await server().app.service.announcements.runDue();
      const events = await eventsAfter(server(), before);
      return events.filter(({ type }) => type === 'feature-lease-expiring');
    };
    server().clock.advance(49 * minute);
    expect(await announced()).toEqual([]);
    server().clock.advance(minute);
    const expected = {
      featureName: params.featureName,
      environment: params.environment,
      data: { id, expiresAt: until(10 * minute) },
      cause: { requestId: expect.any(String) },
      summary: expect.stringMatching(/flag hold expires soon \*\*flag.+, held by \*\*admin\*\* until 20/),
    };
    expect(await announced()).toMatchObject([expected]);
    server().clock.advance(minute);
    expect(await announced()).toHaveLength(1);
  });

  it('is announced for its new time when a hold is extended', async () => {
    const params = await givenEnabled(server());
    const until = (ms: number) => new Date(server().clock.now() + ms).toISOString();
    await givenHold(server(), params, { effect: 'off', expiresAt: until(hour) });
    server().clock.advance(30 * minute);
    await givenHold(server(), params, { effect: 'off', expiresAt: until(hour) });
    const before = await lastEventId(server());
    const announced = async () => {
      await server().app.service.announcements.runDue();
      const events = await eventsAfter(server(), before);
      return events.filter(({ featureName }) => featureName === params.featureName).map(({ type }) => type);
    };
    server().clock.advance(25 * minute);
    expect(await announced()).toEqual([]);
    server().clock.advance(25 * minute);
    expect(await announced()).toEqual(['feature-lease-expiring']);
  });

  it('keeps a hold without expiry when another hold on the flag expires', async () => {
    const params = await givenEnabled(server());
    const served = await sdk(params);
    const expiresAt = new Date(server().clock.now() + hour).toISOString();
    await givenHold(server(), params, { effect: 'off', key: 'a', expiresAt });
    const kept = await givenHold(server(), params, { effect: 'off', key: 'b' });
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect((await server().admin.call(`GET ${holdsOfFlag}`, { params })).json.leases).toMatchObject([{ id: kept.id }]);
    expect(await served()).toMatchObject({ enabled: false });
  });

  it('records the holder, the expiry and the request that set the expiry', async () => {
    const params = await givenEnabled(server());
    const expiresAt = new Date(server().clock.now() + hour).toISOString();
    const { client } = await givenCaller(server(), 'Editor');
    const hold = (body: object) => client.call(`POST ${holdsPath}`, { params, body });
    await hold({ effect: 'off' });
    const { heldBy } = (await hold({ effect: 'off', expiresAt })).json;
    const before = await lastEventId(server());
    const [placed] = await eventsAfter(server(), before - 1);
    expect(placed).toMatchObject({ type: 'feature-lease-updated', cause: { requestId: expect.any(String) } });
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    const events = await eventsAfter(server(), before);
    expect(events[0]?.cause).toEqual(placed?.cause);
    expect(events).toMatchObject([
      {
        type: 'feature-lease-expired',
        preData: { heldBy, expiresAt },
        summary: expect.stringMatching(
          new RegExp(`, held by \\*\\*${heldBy.name}\\*\\* until ${timeText(Date.parse(expiresAt))}$`),
        ),
      },
      { type: 'feature-effective-state-changed', cause: placed?.cause },
    ]);
  });

  it('follows an extended expiry, and runs without being called', async () => {
    const params = await givenEnabled(server());
    const served = await sdk(params);
    const until = (ms: number) => new Date(server().clock.now() + ms).toISOString();
    const { expiries } = server().app.service;
    await givenHold(server(), params, { effect: 'off', expiresAt: until(hour) });
    server().clock.advance(hour - 60_000);
    expect(await expiries.runDue()).toBe(0);
    // The same holder's second request extends the hold.
    await givenHold(server(), params, { effect: 'off', expiresAt: until(hour) });
    server().clock.advance(hour - 1);
    expect(await expiries.runDue()).toBe(0);
    expect(await served()).toMatchObject({ enabled: false });
    const before = await lastEventId(server());
    server().clock.advance(1);
    await Promise.all([expiries.runDue(), expiries.runDue()]);
    expect(await served()).toMatchObject({ enabled: true });
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'feature-lease-expired', createdByUserId: -1337, preData: { effect: 'off' } },
      {
        type: 'feature-effective-state-changed',
        label: 'Flag went on',
        summary: expect.stringContaining('flag went on'),
        data: { enabled: true, lease: null },
      },
    ]);
    await givenHold(server(), params, { effect: 'off', expiresAt: until(150) });
    server().clock.advance(150);
    for (let i = 0; i < 100 && !(await served()).enabled; i++) await pause(20);
    expect(await served()).toMatchObject({ enabled: true });
  });

  it('changes the state of a flag once when several holds expire at the same time', async () => {
    const params = await givenEnabled(server());
    const expiresAt = new Date(server().clock.now() + hour).toISOString();
    await givenHold(server(), params, { effect: 'off', key: 'a', expiresAt });
    await givenHold(server(), params, { effect: 'on', key: 'b', expiresAt });
    const before = await lastEventId(server());
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'feature-lease-expired', preData: { effect: 'on' } },
      { type: 'feature-lease-expired', preData: { effect: 'off' } },
      { type: 'feature-effective-state-changed', data: { enabled: true, lease: null } },
    ]);
  });

  it('ends the earlier of two holds of the same effect, and keeps the later', async () => {
    const params = await givenEnabled(server());
    const until = (ms: number) => new Date(server().clock.now() + ms).toISOString();
    await givenHold(server(), params, { effect: 'off', key: 'a', expiresAt: until(hour) });
    const longer = await givenHold(server(), params, { effect: 'off', key: 'b', expiresAt: until(2 * hour) });
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    const { json } = await server().admin.call(`GET ${holdsOfFlag}`, { params });
    expect(json.leases).toMatchObject([{ id: longer.id }]);
  });
});
