import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockAYearAgo, recordEvents, seedEvents } from '#testing/event-log.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { onReads } from '#testing/statements.ts';

const count = 10_000;
/** A text that only the oldest event contains. It has two characters, so that no text index can be used. */
const absent = 'zq';

const storage = await createStorage();
let server: TestServer;
/** The number of statements that were run outside of changes. */
let statements = 0;

async function restart(settings: Parameters<typeof startServer>[1]): Promise<void> {
  await server.stop();
  server = await startServer(
    storage,
    { initAdminTokens: ['*:*.search-bounds'], ...settings },
    undefined,
    onReads(() => {
      statements++;
    }),
  );
}

beforeAll(async () => {
  server = await startServer(storage, { initAdminTokens: ['*:*.search-bounds'] }, clockAYearAgo());
  await recordEvents(server.app, [
    { type: 'feature-created', project: 'oldest', featureName: 'oldest', data: { note: absent.toUpperCase() } },
  ]);
  await seedEvents(server.app, server.clock, count);
}, 240_000);
afterAll(async () => {
  await server.stop();
  await storage.remove();
}, 60_000);

const path = 'GET /api/admin/search/events';
const ask = (query: Record<string, string | number>) => server.admin.call(path, { query });
const search = async (query: Record<string, string | number>) => {
  const reply = await ask(query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

/** Follows the cursor of each answer to the end. */
async function toTheEnd(query: Record<string, string | number>) {
  const answers = [await search(query)];
  for (let { nextCursor } = answers[0]; nextCursor !== null; ) {
    const next = await search({ ...query, cursor: nextCursor });
    answers.push(next);
    nextCursor = next.nextCursor;
  }
  return answers;
}

const idsOf = (answers: readonly { events: readonly { id: number }[] }[]) =>
  answers.flatMap(({ events }) => events.map(({ id }) => id));

describe('a search looks at a bounded number of events', () => {
  beforeAll(() => restart({ eventSearchRows: 1000 }));

  it('returns the events found so far, says that there may be more, and continues from the cursor', async () => {
    const answers = await toTheEnd({ query: absent });
    expect(answers[0]).toMatchObject({ events: [], total: 0, totalRelation: 'gte', nextCursor: expect.any(String) });
    // Each examined event counts as two of the 1,000 rows, because its text is searched.
    expect(answers.length).toBeGreaterThanOrEqual(count / 500);
    expect(answers.flatMap(({ events }) => events)).toMatchObject([{ featureName: 'oldest' }]);
    expect(answers.at(-1)).toMatchObject({ total: 1, totalRelation: 'eq', nextCursor: null });
  });

  it('bounds filters that match nothing together, one value or many', async () => {
    for (const project of ['IS:project-3', `IS_ANY_OF:${Array.from({ length: 19 }, (_, n) => `project-${n}`)}`]) {
      const [first, ...others] = await toTheEnd({ project, query: absent });
      expect(first).toMatchObject({ total: 0, totalRelation: 'gte' });
      expect(others.at(-1)).toMatchObject({ total: 0, totalRelation: 'eq', nextCursor: null });
    }
    const [first, ...others] = await toTheEnd({ type: 'IS:feature-strategy-update', createdBy: 'IS:999999' });
    expect([first.total, others]).toEqual([0, []]);
  });

  it('returns the same events by cursor as by offset', async () => {
    const query = { project: 'IS_ANY_OF:project-3,project-4', limit: 300 };
    const { events } = (await server.admin.call('GET /api/admin/events', { query: { limit: 2 * count } })).json;
    const wanted = events.filter(({ project }: { project: string }) => ['project-3', 'project-4'].includes(project));
    const paged = await toTheEnd(query);
    expect(idsOf(paged)).toEqual(idsOf([{ events: wanted }]));
    expect(idsOf([await search({ ...query, offset: 300 })])).toEqual(idsOf(paged.slice(1, 2)));
  });

  it('carries an offset that it did not reach in the cursor', async () => {
    const query = { type: 'IS:feature-environment-enabled', createdBy: 'IS_ANY_OF:1000,1001' };
    const all = idsOf(await toTheEnd({ ...query, limit: 1000 }));
    const [first, ...others] = await toTheEnd({ ...query, offset: all.length - 5, limit: 10 });
    expect(first).toMatchObject({ events: [], totalRelation: 'gte' });
    expect(idsOf(others)).toEqual(all.slice(-5));
  });

  it.each(['x', '-1', '1.', '1.2.3', ''])('refuses the cursor "%s"', async (cursor) => {
    const reply = await ask({ cursor });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ name: 'BadDataError', details: [{ path: 'cursor' }] });
  });

  it('ends at the deadline with the events found so far, or with 503 when no time was left', async () => {
    await restart({ eventSearchRows: 1e9, eventSearchTimeoutMs: 1 });
    const reply = await ask({ query: absent });
    if (reply.status === 503) {
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.json.name).toBe('ServiceUnavailableError');
    } else {
      expect(reply.json).toMatchObject({ total: 0, totalRelation: 'gte', nextCursor: expect.any(String) });
    }
    expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

describe('searches take turns', () => {
  const patient = { eventSearchRows: 1e9, eventSearchTimeoutMs: 60_000 };
  const heavy = (n: number) => ask({ query: absent, limit: n + 1 });

  it('answers a short one before long ones that came earlier', async () => {
    await restart(patient);
    await heavy(0);
    const firstAnswered = async () => {
      const order: string[] = [];
      const long = Array.from({ length: 6 }, (_, n) => heavy(n).then(() => order.push('long')));
      await Promise.all([...long, search({ feature: 'IS:flag-77' }).then(() => order.push('short'))]);
      return order[0];
    };
    // On a busy machine, a long one may be answered before the short one arrives.
    let first = await firstAnswered();
    for (let again = 0; again < 4 && first !== 'short'; again++) first = await firstAnswered();
    expect(first).toBe('short');
  });

  it('refuses more than the queue holds with 503, and takes the next one when there is room', async () => {
    await restart({ ...patient, eventSearchQueue: 3 });
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => heavy(n)));
    const refused = replies.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(replies.length - refused.length).toBeGreaterThanOrEqual(3);
    for (const reply of refused) {
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.json.message).toBe('Too many event searches are running. Try again in a moment.');
    }
    expect((await heavy(0)).status).toBe(200);
  });

  it('drops searches whose client has disconnected', async () => {
    await restart(patient);
    await heavy(0);
    const before = statements;
    await heavy(0);
    const whole = statements - before;
    const begun = statements;
    const leave = new AbortController();
    const abandoned = Array.from({ length: 40 }, () =>
      fetch(`${server.url}/api/admin/search/events?query=${absent}`, {
        headers: { authorization: '*:*.search-bounds' },
        signal: leave.signal,
      }),
    );
    const kept = heavy(1);
    while (statements === begun) await server.admin.request('GET', '/health');
    leave.abort();
    const outcomes = await Promise.allSettled(abandoned);
    // On a busy machine, the first searches are answered before the client disconnects.
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(30);
    expect((await kept).status).toBe(200);
    await heavy(0);
    // Each of the forty searches would have run as many statements as each of the two that were awaited.
    expect(statements - begun).toBeLessThan(whole * 25);
    expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});
