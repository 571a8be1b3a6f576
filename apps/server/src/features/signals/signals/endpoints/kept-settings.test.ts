import { expect, it } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { freshName } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, send, type TestEndpoint } from '#testing/signals.ts';
import { changeEndpoint } from '#testing/silence.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const server = useServer({ signalEndpointsLimit: 1000, signalRetentionDays: 5 });

/** Lets a time pass, and then the jobs run that are due within an hour. */
async function pass(ms: number): Promise<void> {
  server().clock.advance(ms);
  await server().app.service.jobs.runDue();
}

it('an endpoint keeps every field that a change does not name', async () => {
  const fields = {
    description: 'Alerts of the shop',
    enabled: false,
    source: 'generic',
    oneSender: true,
    ratePerSecond: 7,
    burst: 9,
    maxBodyBytes: 1234,
    maxElements: 5,
    whenDisabled: 'keep',
    fields: { title: 'name' },
    dropped: ['secret'],
    hashed: ['user'],
    retentionDays: 3,
    enabledUntil: isoTime(server().clock.now() + dayMs),
    expectedMinutes: 11,
    expectedFilters: { name: { operator: 'IN', values: ['Watchdog'] } },
  };
  const body = { name: freshName('endpoint'), ...fields };
  const created = await server().admin.call('POST /api/admin/signal-endpoints', { body });
  expect(created.status, created.text).toBe(201);
  expect(created.json).toMatchObject(fields);
  const before = await lastEventId(server());
  const name = freshName('renamed');
  const { json } = await changeEndpoint(server(), { id: created.json.id, name }, {});
  expect(json).toEqual({ ...created.json, name, url: json.url });
  const { signalEndpoints } = (await server().admin.call('GET /api/admin/signal-endpoints')).json;
  expect(signalEndpoints).toContainEqual(json);
  const [event] = await eventsAfter(server(), before);
  expect(event?.data).toMatchObject({ name, description: fields.description, hashed: fields.hashed });
  expect(event?.preData).toEqual({ ...(event?.data as object), name: body.name });
});

it('the signals of each endpoint are deleted by its own retention, whichever comes first', async () => {
  const endpoints: TestEndpoint[] = [];
  for (const retentionDays of [4, 1, 2]) {
    const endpoint = await givenEndpoint(server());
    await changeEndpoint(server(), endpoint, { retentionDays });
    await send(server(), endpoint, '{}');
    endpoints.push(endpoint);
  }
  const left = async () => {
    const { signals } = (await server().admin.call('GET /api/admin/signals')).json;
    const names = signals.map(({ sourceName }: { sourceName: string }) => sourceName);
    return endpoints.map(({ name }) => names.includes(name));
  };
  await pass(dayMs + minuteMs);
  expect(await left()).toEqual([true, false, true]);
  await pass(dayMs);
  expect(await left()).toEqual([true, false, false]);
  await pass(2 * dayMs);
  expect(await left()).toEqual([false, false, false]);
});

it('refused requests are added to those that were counted before', async () => {
  const endpoint = await givenEndpoint(server());
  const counts = async () => {
    const { refusals } = (
      await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params: { id: endpoint.id } })
    ).json;
    return refusals.map(({ count, lastAt }: { count: number; lastAt: string }) => [count, lastAt]);
  };
  for (const total of [1, 2, 3]) {
    server().clock.advance(1000);
    await send(server(), endpoint, '{');
    expect(await counts()).toEqual([[total, isoTime(server().clock.now())]]);
  }
});
