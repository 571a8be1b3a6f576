import { describe, expect, it } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { asNewUser } from '#testing/people.ts';
import { lastEventId } from '#testing/scenario.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const dayMs = 86_400_000;

interface Listed {
  readonly id: number;
  readonly type: string;
}

const list = async (server: TestServer, query = {}) =>
  (await server.admin.call('GET /api/admin/events', { query: { limit: 1000, ...query } })).json as {
    totalEvents: number;
    events: Listed[];
  };
const typesIn = async (server: TestServer) => new Set((await list(server)).events.map(({ type }) => type));
const daysPass = async (server: TestServer, days: number) => {
  server.clock.advance(days * dayMs);
  await server.app.service.jobs.runDue();
};

describe('events of a class with a retention', () => {
  const server = useServer({ eventRetentionSignInDays: 30 });

  it('are deleted when they are older, and events of changes are kept', async () => {
    const { projectId, featureName } = await givenFlag(server());
    await asNewUser(server());
    const before = await list(server());
    const kept = before.events.filter(({ type }) => type !== 'user-logged-in');
    expect(kept.length).toBeLessThan(before.events.length);
    await daysPass(server(), 29);
    expect(await list(server())).toEqual(before);
    await daysPass(server(), 2);
    const after = await list(server());
    expect(after.events).toEqual(kept);
    expect(after.totalEvents).toBe(kept.length);
    expect((await list(server(), { project: projectId })).events.length).toBeGreaterThan(0);
    const ofFlag = await server().admin.call('GET /api/admin/events/:featureName', { params: { featureName } });
    expect(ofFlag.json.totalEvents).toBe(ofFlag.json.events.length);
  });

  it('leave a gap in the ids, and a reader who follows the log by id misses nothing', async () => {
    await givenFlag(server());
    const before = await lastEventId(server());
    await asNewUser(server());
    await givenFlag(server());
    await daysPass(server(), 31);
    await givenFlag(server());
    const { events } = await list(server(), { after: before });
    expect(events.map(({ type }) => type)).toEqual(['user-created', 'feature-created', 'feature-created']);
    expect(events.map(({ id }) => id)).toEqual([before + 1, before + 3, before + 4]);
  });
});

describe('events of changes with a retention', () => {
  const server = useServer({ eventRetentionChangesDays: 30 });

  it('are deleted except for the newest of each type, and the totals are those of the events that are left', async () => {
    const { projectId } = await givenFlag(server());
    const { featureName } = await givenFlag(server());
    await daysPass(server(), 31);
    await givenFlag(server());
    await server().app.service.jobs.runDue();
    const left = await list(server(), { project: projectId });
    expect(left.events.filter(({ type }) => type === 'feature-created')).toHaveLength(2);
    server().clock.advance(dayMs);
    await daysPass(server(), 31);
    const { totalEvents, events } = await list(server(), { project: projectId });
    expect(events.filter(({ type }) => type === 'feature-created')).toHaveLength(1);
    expect(totalEvents).toBe(events.length);
    const all = await list(server());
    expect(all.totalEvents).toBe(all.events.length);
    const { json } = await server().admin.call('GET /api/admin/events/:featureName', { params: { featureName } });
    expect(json).toMatchObject({ totalEvents: 0, events: [] });
  });
});

describe('a legal hold', () => {
  const server = useServer({ eventRetentionSignInDays: 30 });
  const set = (enabled: boolean) =>
    server().admin.call('POST /api/admin/legal-hold', { body: { enabled, reason: 'Case 4711' } });

  it('keeps events that are older than their retention, until it ends', async () => {
    await asNewUser(server());
    await set(true);
    await daysPass(server(), 31);
    expect(await typesIn(server())).toContain('user-logged-in');
    await set(false);
    server().clock.advance(dayMs);
    await server().app.service.jobs.runDue();
    expect(await typesIn(server())).not.toContain('user-logged-in');
  });
});
