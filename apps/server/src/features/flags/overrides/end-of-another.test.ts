import { expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { type FlagEnvironmentParams, givenFlagIn } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const hourMs = 3_600_000;
const route =
  '/api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override' as const;

const place = (params: FlagEnvironmentParams, hours: number | null) => {
  const endsAt = hours === null ? null : new Date(server().clock.now() + hours * hourMs).toISOString();
  return server().admin.call(`PUT ${route}`, { params, body: { reason: `For ${hours} hours`, endsAt } });
};

async function passHours(hours: number): Promise<void> {
  server().clock.advance(hours * hourMs);
  await server().app.service.jobs.runDue();
}

/** Returns the flags whose overrides are in force. */
async function inForce(): Promise<string[]> {
  const { overrides } = (await server().admin.call('GET /api/admin/now')).json;
  return overrides.map(({ featureName }: { featureName: string }) => featureName);
}

it('overrides end at their own times, and one without an end stays, whichever others end', async () => {
  const [endless, short, long] = [
    await givenFlagIn(server(), 'development'),
    await givenFlagIn(server(), 'development'),
    await givenFlagIn(server(), 'development'),
  ];
  await place(endless, null);
  await place(short, 1);
  await place(long, 3);
  // The same flag in another environment has an override of its own.
  await place({ ...short, environment: 'production' }, 2);
  const courses = [];
  for (let hour = 0; hour < 4; hour++) {
    const before = await lastEventId(server());
    await passHours(1);
    const ended = (await eventsAfter(server(), before)).filter(({ type }) => type === 'feature-override-ended');
    courses.push({ ended: ended.map(({ featureName }) => featureName), inForce: (await inForce()).toSorted() });
  }
  const names = (...flags: readonly FlagEnvironmentParams[]) => flags.map(({ featureName }) => featureName).toSorted();
  expect(courses).toEqual([
    { ended: names(short), inForce: names(endless, short, long) },
    { ended: names(short), inForce: names(endless, long) },
    { ended: names(long), inForce: names(endless) },
    { ended: [], inForce: names(endless) },
  ]);
});

it('an override that is placed anew ends at the new time only', async () => {
  const flag = await givenFlagIn(server(), 'development');
  await place(flag, 1);
  await place(flag, 3);
  const isInForce = async () => (await inForce()).includes(flag.featureName);
  await passHours(2);
  expect(await isInForce()).toBe(true);
  await place(flag, null);
  await passHours(2);
  expect(await isInForce()).toBe(true);
  await place(flag, 1);
  await passHours(1);
  expect(await isInForce()).toBe(false);
});

it('an override whose time is over cannot be ended, also before the job has run', async () => {
  const flag = await givenFlagIn(server(), 'development');
  await place(flag, 1);
  server().clock.advance(hourMs);
  const { status, json } = await server().admin.call(`DELETE ${route}`, { params: flag });
  expect([status, json.name]).toEqual([404, 'NotFoundError']);
});

it('an override that another account places anew is that of the other account, since then', async () => {
  const params = await givenFlagIn(server(), 'development');
  const body = { reason: 'By hand' };
  await server().admin.call(`PUT ${route}`, { params, body });
  const { id, client } = await givenCaller(server(), 'Admin');
  server().clock.advance(hourMs);
  const { json } = await client.call(`PUT ${route}`, { params, body });
  const placedAt = new Date(server().clock.now()).toISOString();
  expect(json).toMatchObject({ ...body, placedAt, placedBy: { id } });
});
