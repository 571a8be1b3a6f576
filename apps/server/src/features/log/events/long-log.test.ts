import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { queryObjects } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockAYearAgo, seedEvents, seeded } from '#testing/event-log.ts';
import { RawConnection } from '#testing/raw-http.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';

/**
 * The number of events: enough for an answer of 10 MB, which no socket buffers whole. `npm run bench -- --only
 * event-log` measures time and memory.
 */
const count = 20_000;
const wholeTimeout = 60_000;

const storage = await createStorage();
let server: TestServer;

beforeAll(async () => {
  // Without the loop probe: counting objects blocks the process for seconds, which the probe would report.
  // With all the time for searches that can be set: one that runs out of it counts no further, on a slow machine.
  server = await startServer(
    storage,
    { initAdminTokens: ['*:*.long-log'], loopProbe: false, eventSearchTimeoutMs: 60_000 },
    clockAYearAgo(),
  );
  await seedEvents(server.app, server.clock, count);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await storage.remove();
}, 60_000);

/** Asks for a path and leaves the answer to be read. */
async function open(path: string): Promise<IncomingMessage> {
  const request = get(server.url + path, { agent: false, headers: { authorization: '*:*.long-log' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

/** Returns the next chunk of an answer, and reads no further. */
async function piece(response: IncomingMessage): Promise<Buffer> {
  for (;;) {
    const chunk = response.read() as Buffer | null;
    if (chunk !== null) return chunk;
    await once(response, 'readable');
  }
}

/** Reads an answer to its end and returns how often `mark` is in it. */
async function countIn(response: IncomingMessage, mark: string): Promise<number> {
  let [marks, rest] = [0, ''];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const text = rest + chunk.toString('latin1');
    marks += text.split(mark).length - 1;
    rest = text.slice(-mark.length + 1);
  }
  return marks;
}

const everything = `/api/admin/events?limit=${count}`;
const anEvent = '"createdByUserId":';

describe('GET /api/admin/events with a long log', () => {
  it(
    'sends all events of the log in one answer',
    async () => {
      expect(await countIn(await open(everything), anEvent)).toBe(count);
    },
    wholeTimeout,
  );

  it(
    'sends all events of a project',
    async () => {
      const response = await open('/api/admin/events?project=project-3');
      expect(await countIn(response, anEvent)).toBe(
        Array.from({ length: count }, (_, n) => n).filter(isOfProject3).length,
      );
    },
    wholeTimeout,
  );

  it('stops reading for one that goes away, and keeps nothing of it', async () => {
    const streams = () => queryObjects(Readable, { format: 'count' });
    await countIn(await open('/api/admin/events?limit=1000'), anEvent);
    const before = streams();
    const gone = await Promise.all(Array.from({ length: 10 }, () => open(everything)));
    for (const response of gone) {
      await piece(response);
      response.destroy();
    }
    // Each request that is still kept would add at least three: its connection, its request and the source of its
    // answer.
    const allowed = before + gone.length;
    gone.length = 0;
    const deadline = performance.now() + 60_000;
    while (streams() > allowed && performance.now() < deadline) {
      // `queryObjects` blocks the event loop. These requests let the server finish the pages that it was reading.
      for (let turn = 0; turn < 50; turn++) await server.admin.request('GET', '/health');
    }
    expect(streams()).toBeLessThanOrEqual(allowed);
    expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  }, 90_000);

  it('is not interrupted by a 400 when bytes that are not HTTP follow on its connection', async () => {
    const connection = await RawConnection.open(server.url);
    connection.write(
      `GET /api/admin/events?limit=10000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: *:*.long-log\r\n\r\n`,
    );
    expect((await connection.head()).status).toBe(200);
    connection.write('noise\r\n\r\n');
    await connection.closed();
    expect(connection.rest()).not.toContain('HTTP/1.1 400');
  });

  it('sends headers alone to HEAD', async () => {
    const reply = await server.admin.request('HEAD', everything);
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '' });
  });
});

describe('GET /api/admin/search/events with a long log', () => {
  const search = async (query: Record<string, string | number>) =>
    (await server.admin.call('GET /api/admin/search/events', { query })).json;

  it('counts up to 10,000 matches, or 1,000 of a text, and says when there are more', async () => {
    expect(await search({ limit: 1 })).toMatchObject({ total: 10_000, totalRelation: 'gte' });
    expect(await search({ limit: 1, query: seeded.commonWord })).toMatchObject({ total: 1000, totalRelation: 'gte' });
    // A page that is not full: PostgreSQL's text index is given a moment only, and without it the search counts no
    // further than 10,000 rows beyond a full page.
    expect(await search({ limit: 1000, query: seeded.rareWord })).toMatchObject({ total: 20, totalRelation: 'eq' });
  });

  it('finds a common text together with a filter', async () => {
    const { events, total } = await search({ query: seeded.commonWord, feature: 'IS:flag-77', limit: 1000 });
    const expected = Array.from({ length: count }, (_, n) => n).filter((n) => n % seeded.flags === 77 && hasText(n));
    expect(total).toBe(expected.length);
    expect(events).toHaveLength(expected.length);
    expect(await search({ query: seeded.commonWord, type: 'IS:feature-environment-enabled' })).toMatchObject({
      total: 0,
    });
  });

  it('reaches the oldest event by offset', async () => {
    const { events } = await search({ offset: count - 10, limit: 1000 });
    expect(events.at(-1).id).toBe(1);
  });
});

function isOfProject3(n: number): boolean {
  return n % seeded.projects === 3 && n % seeded.withoutProject !== 0;
}

/** Returns whether the n-th event has data, see `seedEvents`. */
function hasText(n: number): boolean {
  return n % seeded.withoutProject !== 0 && n % 4 !== 1 && n % 1000 !== 7;
}
