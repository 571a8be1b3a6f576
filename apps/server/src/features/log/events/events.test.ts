import { eventWithOriginSchema } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itemAt } from '#kernel/lists.ts';
import type { NewEvent } from '#storage/tx.ts';
import { recordEvents } from '#testing/event-log.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { eventScenarios } from './events.scenarios.ts';

type Listed = { id: number; [field: string]: unknown };

const toggled = (n: number, project = 'busy'): NewEvent => ({
  type: n % 2 === 0 ? 'feature-environment-enabled' : 'feature-environment-disabled',
  project,
  featureName: `flag-${n}`,
  environment: 'production',
});
const times = (count: number, event: (n: number) => NewEvent) => Array.from({ length: count }, (_, n) => event(n));
const idsOf = (events: readonly Listed[]) => events.map(({ id }) => id);
const descending = (ids: readonly number[]) => ids.toSorted((a, b) => b - a);

describe('event routes', () => testScenarios(useServer(), eventScenarios));

describe('the summary of an event', () => {
  const server = useServer();

  it('escapes asterisks in the name of an account, so that it does not look like another account', async () => {
    const { admin } = server();
    const account = { username: 'ad**min', name: 'x', rootRole: 'Editor' };
    const { id } = (await admin.call('POST /api/admin/service-account', { body: account })).json;
    const token = await admin.call('POST /api/admin/service-account/:id/token', {
      params: { id },
      body: { description: 'x', expiresAt: '2099-01-01T00:00:00.000Z' },
    });
    await server()
      .client(token.json.secret)
      .call('POST /api/admin/projects/:projectId/features', { params: { projectId: 'default' }, body: { name: 'x' } });
    const { events } = (await admin.call('GET /api/admin/events', { query: { limit: 1 } })).json;
    expect(events[0].summary).toBe('**ad\\*\\*min**: flag created **x** (project **default**)');
  });
});

describe('the log', () => {
  const server = useServer();
  const list = async (query: Record<string, string | number> = {}) =>
    (await server().admin.call('GET /api/admin/events', { query })).json;
  const listOf = async (featureName: string, query: Record<string, string | number> = {}) =>
    (await server().admin.call('GET /api/admin/events/:featureName', { params: { featureName }, query })).json;

  beforeAll(async () => {
    await recordEvents(server().app, times(150, toggled));
    await recordEvents(
      server().app,
      times(30, (n) => toggled(n, 'calm')),
    );
    await recordEvents(server().app, [{ type: 'api-token-created', data: { tokenName: 'ci' } }]);
  });

  describe('fields of an event', () => {
    it('has every field on every event, null where it does not apply', async () => {
      const { events } = await list();
      for (const event of events)
        expect(Object.keys(event).sort()).toEqual(Object.keys(eventWithOriginSchema.shape).sort());
      expect(events[0]).toMatchObject({
        type: 'api-token-created',
        featureName: null,
        project: null,
        environment: null,
      });
    });

    it('match the schema of the contract', async () => {
      const { events } = await list();
      for (const event of events) expect(eventWithOriginSchema.parse(event)).toEqual(event);
    });

    it('has null data and preData when an environment was switched', async () => {
      const { events } = await list({ project: 'busy', limit: 2 });
      expect(events).toMatchObject([
        {
          type: 'feature-environment-disabled',
          data: null,
          preData: null,
          featureName: 'flag-149',
          environment: 'production',
        },
        {
          type: 'feature-environment-enabled',
          data: null,
          preData: null,
          featureName: 'flag-148',
          environment: 'production',
        },
      ]);
    });

    it('says when in UTC with milliseconds, and who by name and id', async () => {
      const [event] = (await list({ limit: 1 })).events;
      expect(event.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(event).toMatchObject({ createdBy: 'user-900@example.com', createdByUserId: 900 });
    });

    it('shows tags, a label, a summary, its group and its cause', async () => {
      const tags = [{ type: 'simple', value: 'beta' }];
      await recordEvents(server().app, [{ ...toggled(0, 'tagged'), tags }, toggled(1, 'tagged')]);
      const { events } = await list({ project: 'tagged' });
      expect(events[1]).toMatchObject({
        tags,
        label: 'Flag enabled',
        summary: '**user-900@example.com**: flag enabled **flag-0** in **production** (project **tagged**)',
        groupType: 'transaction',
        groupId: events[0].groupId,
        cause: { requestId: 'test', signalId: null, runId: null },
      });
      expect(events[0].groupId).toEqual(expect.any(String));
    });

    it('has no group when its change recorded nothing else', async () => {
      expect((await list({ limit: 1, before: (await list({ project: 'tagged' })).events[1].id })).events).toMatchObject(
        [{ groupId: null, groupType: null }],
      );
    });
  });

  describe('GET /api/admin/events', () => {
    it('holds the last 100 events of the instance without a project', async () => {
      const { version, totalEvents, events } = await list();
      expect(version).toBe(1);
      expect(events).toHaveLength(100);
      expect(totalEvents).toBe(events[0].id);
      expect(idsOf(events)).toEqual(Array.from({ length: 100 }, (_, n) => totalEvents - n));
    });

    it('holds all events of the project with one, newest first by descending id', async () => {
      const { version, totalEvents, events } = await list({ project: 'busy' });
      expect(version).toBe(1);
      expect(totalEvents).toBe(150);
      expect(events).toHaveLength(150);
      expect(idsOf(events)).toEqual(descending(idsOf(events)));
      expect(new Set(events.map(({ project }: Listed) => project))).toEqual(new Set(['busy']));
    });

    it('is empty for an unknown project', async () => {
      expect(await list({ project: 'nobody-knows' })).toEqual({ version: 1, totalEvents: 0, events: [] });
    });

    it('walks a project by `limit` and `before` without missing or repeating an event', async () => {
      const all = idsOf((await list({ project: 'busy' })).events);
      const walked: number[] = [];
      for (let before = Number.MAX_SAFE_INTEGER; ; ) {
        const { events, totalEvents } = await list({
          project: 'busy',
          limit: 40,
          ...(walked.length === 0 ? {} : { before }),
        });
        expect(totalEvents).toBe(150);
        if (events.length === 0) break;
        walked.push(...idsOf(events));
        before = walked.at(-1) as number;
      }
      expect(walked).toEqual(all);
    });

    it('holds the events after `after`, oldest first, and more than 100 events of the instance up to `limit`', async () => {
      const { events } = await list({ limit: 120 });
      expect(events).toHaveLength(120);
      const after = events[9].id;
      expect(idsOf((await list({ after })).events)).toEqual(idsOf(events.slice(0, 9)).toReversed());
      const before = events[2].id;
      expect(idsOf((await list({ after, before })).events)).toEqual(idsOf(events.slice(3, 9)).toReversed());
    });

    it.each([
      ['the instance', {}],
      ['a project', { project: 'busy' }],
    ])('is followed in %s by `after`, without skipping an event however far behind the reader is', async (_, scope) => {
      const all = idsOf((await list({ ...scope, limit: 1000 })).events).toReversed();
      const [first = 0, ...later] = all;
      const followed: number[] = [];
      for (let after = first; ; after = followed.at(-1) ?? after) {
        const { events } = await list({ ...scope, after, limit: 40 });
        if (events.length === 0) break;
        followed.push(...idsOf(events));
      }
      expect(later.length).toBeGreaterThan(100);
      expect(followed).toEqual(later);
    });

    it('holds the 100 oldest of the instance that are newer than `after` when there is no `limit`', async () => {
      const { events } = await list({ after: 5 });
      expect(idsOf(events)).toEqual(Array.from({ length: 100 }, (_, n) => 6 + n));
    });

    it.each([
      ['limit', '0'],
      ['limit', '-1'],
      ['limit', 'ten'],
      ['after', '-1'],
      ['before', '1.5'],
      ['before', ''],
    ])('refuses %s=%s', async (name, value) => {
      const reply = await server().admin.call('GET /api/admin/events', { query: { [name]: value } });
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject({ name: 'BadDataError', details: [{ path: name }] });
    });

    it('refuses a name that no project can have', async () => {
      for (const path of ['/api/admin/events?project=%00', '/api/admin/events/%00', '/api/admin/events/a%00b']) {
        expect((await server().admin.request('GET', path)).status).toBe(400);
      }
    });

    it('refuses a project that is given twice', async () => {
      const reply = await server().admin.request('GET', '/api/admin/events?project=a&project=b');
      expect(reply.status).toBe(400);
    });
  });

  describe('GET /api/admin/events/:featureName', () => {
    it('holds all events of the toggle in all projects it was in, newest first, and names it', async () => {
      const { version, toggleName, totalEvents, events } = await listOf('flag-7');
      expect({ version, toggleName, totalEvents }).toEqual({ version: 1, toggleName: 'flag-7', totalEvents: 2 });
      expect(events).toMatchObject([{ project: 'calm' }, { project: 'busy' }]);
    });

    it('holds more than 100', async () => {
      await recordEvents(
        server().app,
        times(130, () => ({ ...toggled(1, 'other'), featureName: 'restless' })),
      );
      const { events, totalEvents } = await listOf('restless');
      expect(events).toHaveLength(130);
      expect(totalEvents).toBe(130);
      expect(idsOf(events)).toEqual(descending(idsOf(events)));
    });

    it('still holds those of a toggle that was archived and deleted', async () => {
      const about = { project: 'busy', featureName: 'gone' };
      await recordEvents(server().app, [{ type: 'feature-created', ...about }]);
      await recordEvents(server().app, [{ type: 'feature-archived', ...about }]);
      await recordEvents(server().app, [{ type: 'feature-deleted', ...about }]);
      const { events } = await listOf('gone');
      expect(events.map(({ type }: Listed) => type)).toEqual([
        'feature-deleted',
        'feature-archived',
        'feature-created',
      ]);
    });

    it('is empty for an unknown flag', async () => {
      expect(await listOf('nobody-knows')).toEqual({
        version: 1,
        toggleName: 'nobody-knows',
        totalEvents: 0,
        events: [],
      });
    });

    it('takes the name as it is: a space, a slash, a percent sign, a quote, all of Unicode', async () => {
      for (const featureName of ['a b', 'a/b', '100%', `it's "it"`, 'Größe-日本-🎉']) {
        await recordEvents(server().app, [{ ...toggled(1, 'odd'), featureName }]);
        expect(await listOf(featureName)).toMatchObject({
          toggleName: featureName,
          totalEvents: 1,
          events: [{ featureName }],
        });
      }
    });

    it('takes `limit`, `after` and `before`', async () => {
      const all = idsOf((await listOf('restless')).events);
      expect(idsOf((await listOf('restless', { limit: 3 })).events)).toEqual(all.slice(0, 3));
      const after = itemAt(all, 5);
      expect(idsOf((await listOf('restless', { after })).events)).toEqual(all.slice(0, 5).toReversed());
      expect(idsOf((await listOf('restless', { after, limit: 2 })).events)).toEqual([all[4], all[3]]);
      expect(idsOf((await listOf('restless', { before: itemAt(all, 120) })).events)).toEqual(all.slice(121));
    });
  });

  describe('GET /api/admin/event-creators', () => {
    it('names each once, by id, with the name that the last event gave', async () => {
      await recordEvents(server().app, [toggled(1)], 7001);
      await recordEvents(server().app, [toggled(1)], 7000);
      await recordEvents(server().app, [toggled(2)], 7001);
      const { json } = await server().admin.call('GET /api/admin/event-creators');
      const ids = json.map(({ id }: Listed) => id);
      expect(ids).toEqual([...new Set<number>(ids)].toSorted((a, b) => a - b));
      expect(json).toContainEqual({ id: 7000, name: 'user-7000@example.com' });
      expect(json).toContainEqual({ id: 7001, name: 'user-7001@example.com' });
    });

    it('gives those who have an account the name they have now', async () => {
      const { json: account } = await server().admin.request('POST', '/api/admin/service-account', {
        body: { username: 'robot', name: 'Robot', rootRole: 3 },
      });
      await recordEvents(server().app, [toggled(1)], account.id);
      expect((await server().admin.call('GET /api/admin/event-creators')).json).toContainEqual({
        id: account.id,
        name: 'Robot',
      });
    });
  });
});
