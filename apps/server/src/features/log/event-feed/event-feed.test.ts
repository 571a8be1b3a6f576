import { eventWithOriginSchema } from '@yardarm/contract';
import { afterEach, describe, expect, it } from 'vitest';
import type { NewEvent } from '#storage/tx.ts';
import { recordEvents } from '#testing/event-log.ts';
import { givenFlagIn, switchFlag } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { eventFeedScenarios } from './event-feed.scenarios.ts';

type Listed = { readonly id: number; readonly featureName: string | null; readonly project: string | null };

const adminToken = '*:*.for-the-reader-of-events';
const route = 'GET /api/admin/events/feed';
const ndjson = { accept: 'application/x-ndjson' };

const toggled = (project: string, n: number, environment = 'production'): NewEvent => ({
  type: n % 2 === 0 ? 'feature-environment-enabled' : 'feature-environment-disabled',
  project,
  featureName: `${project}-${n}`,
  environment,
});
const times = (count: number, event: (n: number) => NewEvent) => Array.from({ length: count }, (_, n) => event(n));
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const idsOf = (events: readonly Listed[]) => events.map(({ id }) => id);

const open: TestStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

describe(route, () => {
  const server = useServer({ initAdminTokens: [adminToken] });
  const feed = async (query: Record<string, string | number> = {}, headers: Record<string, string> = {}) =>
    server().admin.call(route, { query, headers });
  const epoch = async (): Promise<string> => (await feed({ after: 'newest' })).json.epoch;
  const idOf = async (id: number) => `${id}:${await epoch()}`;
  const newest = async (): Promise<number> => (await server().admin.call('GET /api/admin/newest')).json.eventId;

  async function stream(query = '', headers: Record<string, string> = {}): Promise<TestStream> {
    const url = `${server().url}/api/admin/events/feed${query}`;
    const opened = await TestStream.open(url, { authorization: adminToken, accept: 'text/event-stream', ...headers });
    open.push(opened);
    return opened;
  }

  testScenarios(server, eventFeedScenarios);

  describe('a page', () => {
    it('is oldest first, and next leads to each event once, also from the database', async () => {
      const begin = await newest();
      await recordEvents(
        server().app,
        times(1500, (n) => toggled('paged', n)),
      );
      const seen: number[] = [];
      for (let after = begin; ; ) {
        const { events, next, hasMore } = (await feed({ after, limit: 400 })).json;
        seen.push(...idsOf(events));
        after = next;
        if (!hasMore) break;
      }
      expect(seen).toEqual(Array.from({ length: 1500 }, (_, n) => begin + 1 + n));
    });

    it('has the events as all routes show them', async () => {
      const begin = await newest();
      await recordEvents(server().app, [toggled('shown', 1)]);
      const { json } = await feed({ after: begin });
      expect(json).toMatchObject({ events: [{ featureName: 'shown-1' }], next: begin + 1, hasMore: false });
      expect(eventWithOriginSchema.parse(json.events[0])).toEqual(json.events[0]);
    });

    it('moves next past events that the filters leave out', async () => {
      const begin = await newest();
      await recordEvents(
        server().app,
        times(5, (n) => toggled('left-out', n)),
      );
      expect((await feed({ after: begin, project: 'nothing-here' })).json).toEqual({
        events: [],
        next: begin + 5,
        hasMore: false,
        epoch: await epoch(),
      });
    });

    it.each([
      [{ project: 'fa' }, [0, 1, 2, 3]],
      [{ project: 'fa,fb', types: 'feature-environment-enabled' }, [0, 2, 4]],
      [{ environment: 'development' }, [5]],
      [{ feature: 'fa-1,fb-0' }, [1, 4]],
    ])('filters by %j, in memory and in the database', async (filter, expected) => {
      const begin = await newest();
      const rows = [...times(4, (n) => toggled('fa', n)), toggled('fb', 0), toggled('fb', 1, 'development')];
      await recordEvents(server().app, rows);
      const ids = expected.map((n) => begin + 1 + n);
      expect(idsOf((await feed({ after: begin, ...filter })).json.events)).toEqual(ids);
      await recordEvents(
        server().app,
        times(1100, (n) => toggled('pushes-out', n, 'elsewhere')),
      );
      expect(idsOf((await feed({ after: begin, ...filter })).json.events)).toEqual(ids);
    });

    it('links to the next page', async () => {
      const begin = await newest();
      await recordEvents(
        server().app,
        times(3, (n) => toggled('linked', n)),
      );
      const { headers } = await feed({ after: begin, limit: 2, project: 'linked' });
      expect(headers.get('link')).toBe(
        `<?after=${begin + 2}&limit=2&project=linked&epoch=${await epoch()}>; rel="next"`,
      );
      expect(headers.get('cache-control')).toBe('no-store');
    });

    it('is 304 for its ETag until there is a new event', async () => {
      const after = await newest();
      const etag = (await feed({ after })).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect((await feed({ after }, { 'if-none-match': etag })).status).toBe(304);
      await recordEvents(server().app, [toggled('tagged', 1)]);
      expect((await feed({ after }, { 'if-none-match': etag })).status).toBe(200);
    });

    it('ends early when its events are large, and next continues', async () => {
      const begin = await newest();
      const large = { ...toggled('large', 1), data: { text: 'x'.repeat(300_000) } };
      await recordEvents(server().app, [large, large, large, large, large, large]);
      const { events, next, hasMore } = (await feed({ after: begin })).json;
      expect(events.length).toBeLessThan(6);
      expect(hasMore).toBe(true);
      expect((await feed({ after: next })).json.events[0].id).toBe(events.at(-1).id + 1);
    });

    it('starts at the end with newest', async () => {
      expect((await feed({ after: 'newest' })).json).toEqual({
        events: [],
        next: await newest(),
        hasMore: false,
        epoch: await epoch(),
      });
    });

    it.each([
      [{ after: 'x' }, 'after'],
      [{ after: '-1' }, 'after'],
      [{ after: '99999999' }, 'after'],
      [{ limit: '0' }, 'limit'],
      [{ wait: '61' }, 'wait'],
      [{ types: 'no-such-type' }, 'types'],
      [{ format: 'xml' }, 'format'],
      [{ project: `${'p,'.repeat(200)}p` }, 'project'],
    ])('refuses %j', async (query, path) => {
      const { status, json } = await feed(query);
      expect(status).toBe(400);
      expect(JSON.stringify(json.details)).toContain(path);
    });

    it('says that a position after the newest event may come from another installation', async () => {
      const { json } = await feed({ after: (await newest()) + 1 });
      expect(json.details[0].message).toContain('an older backup was restored');
    });
  });

  describe('a long poll', () => {
    it('is answered by the next matching event', async () => {
      const after = await newest();
      const answer = feed({ after, wait: 60, project: 'awaited' });
      await recordEvents(server().app, [toggled('not-awaited', 1)]);
      await recordEvents(server().app, [toggled('awaited', 1)]);
      expect((await answer).json).toMatchObject({ events: [{ project: 'awaited' }], next: after + 2 });
    });

    it('is answered at once when there are events, and empty when the time is over', async () => {
      const after = (await newest()) - 1;
      expect((await feed({ after, wait: 60 })).json.events).toHaveLength(1);
      expect((await feed({ after: after + 1, wait: 0 })).json.events).toEqual([]);
    });
  });

  describe('NDJSON', () => {
    it('has each event up to now on a line', async () => {
      const begin = await newest();
      await recordEvents(
        server().app,
        times(1200, (n) => toggled('lines', n)),
      );
      const reply = await feed({ after: begin }, ndjson);
      expect(reply.headers.get('content-type')).toContain('application/x-ndjson');
      expect(idsOf(linesOf(reply.text))).toEqual(Array.from({ length: 1200 }, (_, n) => begin + 1 + n));
    });

    it('ends at the limit', async () => {
      expect(linesOf((await feed({ limit: 3 }, ndjson)).text)).toHaveLength(3);
    });
  });

  describe('server-sent events', () => {
    it('send the events since a position, and then each new event', async () => {
      const begin = await newest();
      await recordEvents(server().app, [toggled('streamed', 1)]);
      const events = await stream(`?after=${begin}&project=streamed`);
      expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(await events.next()).toMatchObject({ id: await idOf(begin + 1), data: { featureName: 'streamed-1' } });
      await recordEvents(server().app, [toggled('other', 1), toggled('streamed', 2)]);
      expect(await events.next()).toMatchObject({ id: await idOf(begin + 3), data: { featureName: 'streamed-2' } });
    });

    it('continue after Last-Event-ID', async () => {
      const begin = await newest();
      await recordEvents(
        server().app,
        times(2, (n) => toggled('resumed', n)),
      );
      const events = await stream('?after=0', { 'last-event-id': String(begin + 1) });
      expect(await events.next()).toMatchObject({ id: await idOf(begin + 2) });
    });

    it('send a log that is longer than the memory in order and whole', async () => {
      const begin = await newest();
      await recordEvents(
        server().app,
        times(2500, (n) => toggled('long', n)),
      );
      const [events, inEpoch] = [await stream(`?after=${begin}`), await epoch()];
      for (let n = 1; n <= 2500; n++) expect((await events.next())?.id).toBe(`${begin + n}:${inEpoch}`);
    });

    it('send changes of flags as they are made', async () => {
      const params = await givenFlagIn(server());
      const events = await stream('?after=newest');
      await switchFlag(server(), params, 'on');
      expect((await events.next())?.data).toMatchObject({ featureName: params.featureName });
    });

    it('end when the session of the reader ends', async () => {
      const person = await givenUser(server(), 'Viewer');
      const { cookie = '' } = await logIn(server().anonymous, person);
      const url = `${server().url}/api/admin/events/feed?after=newest`;
      const events = await TestStream.open(url, { cookie, accept: 'text/event-stream' });
      open.push(events);
      await server().admin.call('DELETE /api/admin/user-admin/:id', { params: { id: person.id } });
      expect(await events.next()).toBeUndefined();
    });
  });

  describe('CloudEvents', () => {
    it('are a batch when they are accepted', async () => {
      const after = await newest();
      await recordEvents(server().app, [toggled('cloud', 1)]);
      const reply = await feed({ after }, { accept: 'application/cloudevents-batch+json' });
      expect(reply.headers.get('content-type')).toContain('application/cloudevents-batch+json');
      expect(JSON.parse(reply.text)).toEqual([
        {
          specversion: '1.0',
          id: String(after + 1),
          source: expect.stringMatching(/\/api\/admin\/events$/),
          type: 'yardarm.feature-environment-disabled',
          subject: 'projects/cloud/features/cloud-1/environments/production',
          time: expect.stringMatching(/^\d{4}-.*Z$/),
          datacontenttype: 'application/json',
          dataschema: expect.stringContaining('feature-environment-disabled'),
          data: expect.objectContaining({ id: after + 1, featureName: 'cloud-1' }),
        },
      ]);
    });

    it('are lines and server-sent events when the format asks for them', async () => {
      const after = await newest();
      await recordEvents(server().app, [toggled('cloud-lines', 1)]);
      const lines = linesOf((await feed({ after, format: 'cloudevent' }, ndjson)).text);
      expect(lines).toMatchObject([{ specversion: '1.0', data: { project: 'cloud-lines' } }]);
      const events = await stream(`?after=${after}&format=cloudevent`);
      expect((await events.next())?.data).toMatchObject({ specversion: '1.0', data: { project: 'cloud-lines' } });
    });
  });

  describe('for a caller who is not an administrator', () => {
    it('leaves out events of no project and of hidden projects, in every format', async () => {
      const body = { id: 'secret-feed', name: 'secret', mode: 'private' };
      expect((await server().admin.call('POST /api/admin/projects', { body })).status).toBe(201);
      const viewer = server().client(await server().tokenOf('viewer'));
      const after = await newest();
      const rows = [toggled('secret-feed', 1), { type: 'api-token-created', data: {} } as NewEvent, toggled('seen', 1)];
      await recordEvents(server().app, rows);
      const page = (await viewer.call(route, { query: { after } })).json;
      expect(page).toMatchObject({ events: [{ project: 'seen' }], next: after + 3 });
      expect(page.events).toHaveLength(1);
      const lines = linesOf((await viewer.call(route, { query: { after }, headers: ndjson })).text);
      expect(lines).toMatchObject([{ project: 'seen' }]);
    });
  });
});
