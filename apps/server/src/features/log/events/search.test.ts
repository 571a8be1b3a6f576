import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#testing/clock.ts';
import { recordEvents } from '#testing/event-log.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

const dayMs = 24 * 60 * 60 * 1000;
const noon = Date.parse('2026-03-30T12:00:00.000Z');

describe('GET /api/admin/search/events', () => {
  let storage: TestStorage;
  let server: TestServer;
  const created = (n: number, more: object = {}) =>
    ({ type: 'feature-created', project: 'dated', featureName: `day-${n}`, ...more }) as const;
  /** Records one event a day from 30 March 2026 on, then several in the same minute. */
  beforeAll(async () => {
    storage = await createStorage();
    const clock = new TestClock();
    clock.advance(noon - clock.now());
    server = await startServer(storage, {}, clock);
    for (let n = 0; n < 4; n++) {
      await recordEvents(
        server.app,
        [created(n, { environment: n % 2 === 0 ? 'development' : 'production' })],
        800 + n,
      );
      clock.advance(dayMs);
    }
    await recordEvents(server.app, [
      {
        type: 'feature-created',
        project: 'texts',
        featureName: 'in-data',
        data: { name: 'Kill Switch', note: 'say "hi" 100%_' },
      },
      {
        type: 'feature-metadata-updated',
        project: 'texts',
        featureName: 'in-pre-data',
        data: {},
        preData: { name: 'Kill Switch' },
      },
      {
        type: 'feature-tagged',
        project: 'texts',
        featureName: 'in-tags',
        tags: [{ type: 'simple', value: 'Kill Switch' }],
      },
      {
        type: 'feature-created',
        project: 'texts',
        featureName: 'unicode',
        data: { name: 'Überraschung für Ömer 日本語 🎉🎉' },
      },
      { type: 'feature-created', project: 'texts', featureName: 'without', data: { name: 'other' } },
      { type: 'api-token-created', data: { tokenName: 'of no project' } },
    ]);
  });
  afterAll(async () => {
    await server.stop();
    await storage.remove();
  });

  const search = async (query: Record<string, string | number>, client = server.admin) => {
    const reply = await client.call('GET /api/admin/search/events', { query });
    expect(reply.status, reply.text).toBe(200);
    return reply.json;
  };
  const flagsOf = async (query: Record<string, string | number>) =>
    (await search(query)).events.map(({ featureName }: { featureName: string }) => featureName);

  describe('filters', () => {
    it('IS takes one value, IS_ANY_OF several, with spaces around them', async () => {
      expect(await flagsOf({ feature: 'IS:day-1' })).toEqual(['day-1']);
      expect(await flagsOf({ feature: 'IS_ANY_OF:day-1, day-3 ,day-99' })).toEqual(['day-3', 'day-1']);
      expect(await flagsOf({ feature: 'IS_ANY_OF:day-1,day-1' })).toEqual(['day-1']);
    });

    it('project, type, environment and createdBy narrow the search, together more than alone', async () => {
      expect(await flagsOf({ project: 'IS:dated' })).toEqual(['day-3', 'day-2', 'day-1', 'day-0']);
      expect(await flagsOf({ project: 'IS:dated', environment: 'IS:production' })).toEqual(['day-3', 'day-1']);
      expect(await flagsOf({ project: 'IS_ANY_OF:texts,dated', type: 'IS:feature-tagged' })).toEqual(['in-tags']);
      expect(await flagsOf({ project: 'IS:dated', createdBy: 'IS_ANY_OF:801,803' })).toEqual(['day-3', 'day-1']);
      expect(await flagsOf({ project: 'IS:dated', createdBy: 'IS:801', environment: 'IS:development' })).toEqual([]);
    });

    it('id finds events by their number, groupId those of one change', async () => {
      const { events } = await search({ project: 'IS:texts' });
      const group = events[0].groupId;
      expect(await flagsOf({ id: `IS:${events[2].id}` })).toEqual([events[2].featureName]);
      expect(await flagsOf({ id: `IS_ANY_OF:${events[0].id},${events[1].id},999999` })).toEqual(['without', 'unicode']);
      expect((await search({ groupId: `IS:${group}` })).total).toBe(6);
      expect((await search({ groupId: `IS:${group}`, project: 'IS:texts' })).total).toBe(5);
    });

    it('from begins with a day, to includes one, in UTC', async () => {
      expect(await flagsOf({ project: 'IS:dated', from: 'IS:2026-04-01' })).toEqual(['day-3', 'day-2']);
      expect(await flagsOf({ project: 'IS:dated', to: 'IS:2026-03-31' })).toEqual(['day-1', 'day-0']);
      expect(await flagsOf({ project: 'IS:dated', from: 'IS:2026-03-31', to: 'IS:2026-03-31' })).toEqual(['day-1']);
      expect(await flagsOf({ project: 'IS:dated', from: 'IS:2026-04-02', to: 'IS:2026-04-01' })).toEqual([]);
      expect((await search({ from: 'IS:2090-01-01' })).total).toBe(0);
      expect((await search({ to: 'IS:2025-01-01' })).total).toBe(0);
      expect((await search({ from: 'IS:2026-03-31', to: 'IS:2026-04-01' })).total).toBe(2);
    });

    it('from and to may name a time: at or after the one, before the other', async () => {
      expect(await flagsOf({ project: 'IS:dated', from: 'IS:2026-03-31T12:00:00Z' })).toEqual([
        'day-3',
        'day-2',
        'day-1',
      ]);
      expect(await flagsOf({ project: 'IS:dated', from: 'IS:2026-04-01T14:00:00.001+02:00' })).toEqual(['day-3']);
      expect(await flagsOf({ project: 'IS:dated', to: 'IS:2026-03-31T12:00:00Z' })).toEqual(['day-0']);
      expect(await flagsOf({ project: 'IS:dated', to: 'IS:2026-03-31T12:00:00.001Z' })).toEqual(['day-1', 'day-0']);
    });

    it('signal finds what a signal caused', async () => {
      const caused = (featureName: string, signalId: number) =>
        recordEvents(server.app, [created(0, { project: 'caused', featureName })], 950, { signalId, runId: 1 });
      await caused('by-seven', 7);
      await caused('by-eight', 8);
      await caused('by-seven-too', 7);
      expect(await flagsOf({ signal: 'IS:7' })).toEqual(['by-seven-too', 'by-seven']);
      expect(await flagsOf({ signal: 'IS_ANY_OF:8,9', project: 'IS:caused' })).toEqual(['by-eight']);
      expect(await flagsOf({ signal: 'IS:7', project: 'IS:dated' })).toEqual([]);
    });

    it('reason finds a part of the reason, in either case, also with other filters', async () => {
      const reasons = {
        'by-seven': 'INC-7 Checkout is slow',
        'by-eight': 'INC-8: 50 % of Überlast',
        'by-none': undefined,
      };
      const params = { projectId: 'default' };
      for (const [name, reason] of Object.entries(reasons)) {
        const headers = reason === undefined ? {} : { 'x-change-reason': encodeURIComponent(reason) };
        const body = { name: `reasoned-${name}` };
        await server.admin.call('POST /api/admin/projects/:projectId/features', { params, body, headers });
      }
      const seven = ['reasoned-by-seven'];
      const eight = ['reasoned-by-eight'];
      expect(await flagsOf({ reason: 'inc-' })).toEqual([...eight, ...seven]);
      expect(await flagsOf({ reason: 'CHECKOUT is' })).toEqual(seven);
      expect(await flagsOf({ reason: '50 % of Überlast' })).toEqual(eight);
      expect(await flagsOf({ reason: 'inc_7' })).toEqual([]);
      expect(await flagsOf({ reason: 'inc-7', feature: 'IS_ANY_OF:reasoned-by-seven,reasoned-by-eight' })).toEqual(
        seven,
      );
      expect(await flagsOf({ reason: 'inc-7', query: 'reasoned-by' })).toEqual(seven);
      expect(await flagsOf({ reason: 'inc-7', type: 'IS:feature-archived' })).toEqual([]);
    });

    it('unknown values find nothing', async () => {
      for (const name of ['project', 'feature', 'type', 'environment', 'groupId']) {
        expect(await search({ [name]: 'IS:nobody-knows' })).toEqual({
          events: [],
          total: 0,
          totalRelation: 'eq',
          nextCursor: null,
        });
        expect(await search({ [name]: 'IS_ANY_OF:nobody,knows' })).toMatchObject({ total: 0 });
      }
    });

    it.each([
      ['project', 'dated'],
      ['project', 'IS:'],
      ['project', 'IS_ANY_OF: , '],
      ['project', 'is:dated'],
      ['project', 'IS_NOT:dated'],
      ['feature', ''],
      ['type', 'feature-created'],
      ['environment', 'IS'],
      ['groupId', ':x'],
      ['id', 'IS:x'],
      ['id', 'IS_ANY_OF:1,x'],
      ['id', 'IS:1.5'],
      ['id', 'IS:12345678901234567890'],
      ['createdBy', 'IS:a@b.c'],
      ['from', '2026-03-31'],
      ['from', 'IS:2026-3-31'],
      ['from', 'IS:2026-02-30'],
      ['from', 'IS:2026-02-28T12:00'],
      ['to', 'IS:2026-02-30T12:00:00Z'],
      ['signal', 'IS:first'],
      ['to', 'IS:2026-13-01'],
      ['to', 'IS_ANY_OF:2026-03-31'],
      ['project', `IS_ANY_OF:${Array.from({ length: 501 }, (_, n) => n).join(',')}`],
      ['query', 'x'.repeat(1001)],
      ['query', 'a\u0000'],
      ['project', 'IS:a\u0000'],
      ['feature', 'IS_ANY_OF:a,\u0000'],
    ])('refuses %s=%s', async (name, value) => {
      const reply = await server.admin.call('GET /api/admin/search/events', { query: { [name]: value } });
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject({ name: 'BadDataError', details: [{ path: name }] });
    });

    it('takes 500 values', async () => {
      const many = Array.from({ length: 499 }, (_, n) => `unknown-${n}`).join(',');
      expect(await flagsOf({ feature: `IS_ANY_OF:${many},day-2` })).toEqual(['day-2']);
    });
  });

  describe('query', () => {
    it('finds text in data, previous data and tags, upper and lower case alike', async () => {
      for (const query of ['Kill Switch', 'kill switch', 'ILL SWI']) {
        expect(await flagsOf({ query })).toEqual(['in-tags', 'in-pre-data', 'in-data']);
      }
    });

    it('matches the query as text, not as a pattern', async () => {
      expect(await flagsOf({ query: '100%_' })).toEqual(['in-data']);
      for (const query of ['100%x', 'K%h', '_ill', 'kill*', '"', 'NEAR(kill switch)', 'kill OR other', "'", 'Kill\\']) {
        expect((await search({ query, project: 'IS:texts', type: 'IS:feature-tagged' })).total).toBe(
          query === '"' ? 1 : 0,
        );
      }
    });

    it('finds words of one and two characters, and folds the case of all scripts', async () => {
      expect(await flagsOf({ query: 'sw', project: 'IS:texts' })).toEqual(['in-tags', 'in-pre-data', 'in-data']);
      for (const query of ['日本', '語', '🎉', '🎉🎉', 'überraschung', 'ÜBERRASCHUNG FÜR', 'öm', 'ÖM', 'für Ö']) {
        expect(await flagsOf({ query })).toEqual(['unicode']);
        expect(await flagsOf({ query, project: 'IS:texts' })).toEqual(['unicode']);
      }
    });

    it('goes together with every other filter', async () => {
      expect(await flagsOf({ query: 'kill', type: 'IS:feature-tagged' })).toEqual(['in-tags']);
      expect(await flagsOf({ query: 'kill', feature: 'IS_ANY_OF:in-data,without' })).toEqual(['in-data']);
      expect(await flagsOf({ query: 'kill', to: 'IS:2026-04-02' })).toEqual([]);
      expect(await flagsOf({ query: 'kill', from: 'IS:2026-04-02' })).toHaveLength(3);
    });

    it('is no filter when it is empty', async () => {
      expect((await search({ query: '' })).total).toBe((await search({})).total);
    });
  });

  describe('pages', () => {
    it('are 50 events unless limit asks for 1 to 1,000', async () => {
      await recordEvents(
        server.app,
        Array.from({ length: 120 }, () => ({ type: 'feature-created', project: 'paged' }) as const),
      );
      const lengthOf = async (query: object) => (await search({ project: 'IS:paged', ...query })).events.length;
      expect(await lengthOf({})).toBe(50);
      expect(await lengthOf({ limit: 1 })).toBe(1);
      expect(await lengthOf({ limit: 1000 })).toBe(120);
      for (const limit of [0, 1001, -1, 'x', '1e2']) {
        const reply = await server.admin.call('GET /api/admin/search/events', { query: { limit } });
        expect([reply.status, reply.json.details?.[0]?.path]).toEqual([400, 'limit']);
      }
    });

    it('follow each other by offset, newest first, with the same total', async () => {
      const ids: number[] = [];
      for (const offset of [0, 50, 100, 150]) {
        const { events, total, totalRelation } = await search({ project: 'IS:paged', offset });
        expect({ total, totalRelation }).toEqual({ total: 120, totalRelation: 'eq' });
        ids.push(...events.map(({ id }: { id: number }) => id));
      }
      expect(ids).toHaveLength(120);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
      for (const offset of [-1, 'x']) {
        const reply = await server.admin.call('GET /api/admin/search/events', { query: { offset } });
        expect([reply.status, reply.json.details?.[0]?.path]).toEqual([400, 'offset']);
      }
    });

    it('follow each other through several values and through a text', async () => {
      const all = await flagsOf({ project: 'IS_ANY_OF:dated,texts' });
      expect(await flagsOf({ project: 'IS_ANY_OF:dated,texts', limit: 4, offset: 3 })).toEqual(all.slice(3, 7));
      expect(await flagsOf({ query: 'kill', limit: 1, offset: 1 })).toEqual(['in-pre-data']);
    });
  });

  describe('who sees what', () => {
    it('shows those who are no administrators only events of projects', async () => {
      for (const role of ['editor', 'viewer'] as const) {
        const client = server.client(await server.tokenOf(role));
        const { events, total } = await search({ limit: 1000 }, client);
        expect(events.every(({ project }: { project: string | null }) => project !== null)).toBe(true);
        expect(total).toBe(events.length);
        expect((await search({ type: 'IS:service-account-created' }, client)).total).toBe(0);
        expect((await search({ query: 'of no project' }, client)).total).toBe(0);
        expect((await search({ query: 'kill' }, client)).total).toBe(3);
        expect((await search({ query: 'sw' }, client)).events.length).toBeGreaterThanOrEqual(3);
      }
      expect((await search({ type: 'IS:service-account-created' })).total).toBeGreaterThan(0);
    });

    it('shows label and summary with every event', async () => {
      const { events } = await search({ limit: 1000 });
      for (const event of events) {
        expect(event.label).toMatch(/./);
        expect(event.summary).toContain(
          `**${event.createdBy === 'unleash_system_user' ? 'Yardarm' : event.createdBy}**`,
        );
      }
      // Sentences name the server as people know it; the field has the name that Unleash has.
      expect(events.some(({ summary }: { summary: string }) => summary.startsWith('**Yardarm**:'))).toBe(true);
    });
  });
});
