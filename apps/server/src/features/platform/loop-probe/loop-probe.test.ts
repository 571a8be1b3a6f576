import { afterEach, describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import { tablesInOrder } from '#storage/backup/table-order.ts';
import { sql } from '#storage/tx.ts';
import { givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { author, onEvents } from '#testing/database.ts';
import { givenFlag, givenFlagIn } from '#testing/flags.ts';
import { passProbe, probeLoop } from '#testing/loop-probe.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

/** Returns the state of the loop that the page Now shows to a caller who may only read. */
async function loopOf(server: TestServer) {
  return (await server.client(await server.tokenOf('viewer')).call('GET /api/admin/now')).json.loop;
}

/** Returns the values of the metrics of the loop probe, by name and labels. */
async function metricsOf(server: TestServer): Promise<Record<string, number>> {
  const { text } = await server.anonymous.request('GET', '/metrics');
  const lines = [...text.matchAll(/^((?:loop_probe|sdk_stream)\S*) (\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]));
}

/** Returns the probes that failed, by the step at which they stopped. */
async function failuresOf(server: TestServer) {
  const metrics = await metricsOf(server);
  const [ingest, matching, stream] = ['ingest', 'matching', 'stream'].map(
    (step) => metrics[`loop_probe_failures_total{step="${step}"}`],
  );
  return { ingest, matching, stream };
}

/** Begins a change that does not end before it is released, so that others wait. */
async function holdChange({ app }: TestServer) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const change = app.database.write(author, async () => {
    begun.resolve();
    await released.promise;
  });
  await begun.promise;
  return async () => {
    released.resolve();
    await change;
  };
}

type Refused = 'insert on action_cursors' | `update on counters when old.name = '${'signal' | 'probe'}'`;

/** Lets the database refuse a kind of statement. Returns the function that ends it. */
async function refuse({ app }: TestServer, what: Refused): Promise<() => Promise<void>> {
  const [, statement = '', table = '', condition] = /^(\w+) on (\w+)(?: when (.*))?$/.exec(what) ?? [];
  const run = (...texts: string[]) =>
    app.database.writeQuietly('jobs', author, async (tx) => {
      for (const text of texts) await sql.raw(text).execute(tx.db);
    });
  if (engine === 'sqlite') {
    const when = condition === undefined ? '' : `when ${condition}`;
    await run(
      `create trigger refusal before ${statement} on ${table} ${when} begin select raise(abort, 'refused'); end`,
    );
    return () => run('drop trigger refusal');
  }
  const when = condition === undefined ? '' : `when (${condition})`;
  await run(
    `create function refusal() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    `create trigger refusal before ${statement} on ${table} for each row ${when} execute function refusal()`,
  );
  return () => run(`drop trigger refusal on ${table}`, 'drop function refusal');
}

describe('the loop probe', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const open: TestStream[] = [];
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  it('shows in the metrics and on Now how long it took, and when it came through', async () => {
    const fresh = await metricsOf(server());
    expect(fresh).toMatchObject({ loop_probe_seconds: Number.NaN, loop_probe_last_success_timestamp_seconds: 0 });
    expect(await loopOf(server())).toEqual({ passedAt: null, tookMs: null, stoppedAt: null, halted: null });
    const release = await holdChange(server());
    const probe = probeLoop(server());
    await yieldToEventLoop();
    server().clock.advance(12);
    await Promise.all([release(), probe]);
    const at = server().clock.now();
    expect(await metricsOf(server())).toMatchObject({
      loop_probe_seconds: 0.012,
      loop_probe_last_success_timestamp_seconds: at / 1000,
    });
    expect(await loopOf(server())).toEqual({
      passedAt: new Date(at).toISOString(),
      tookMs: 12,
      stoppedAt: null,
      halted: null,
    });
    expect(await failuresOf(server())).toEqual({ ingest: 0, matching: 0, stream: 0 });
  });

  it('stores no row, and moves neither the ETag nor a stream of an SDK', async () => {
    const { secret } = await givenToken(server());
    const sdk = server().client(secret);
    const stream = await TestStream.open(`${server().url}/api/client/streaming`, { authorization: secret });
    open.push(stream);
    await stream.next();
    const etag = async () => (await sdk.call('GET /api/client/features')).headers.get('etag');
    const state = async () => {
      const sent = { etag: await etag(), streams: await streamMetrics() };
      // The server stores the application that sends these requests a moment later.
      await server().app.service.usage.flush();
      return { ...sent, rows: await rowsOf(server()) };
    };
    await loopOf(server());
    const before = await state();
    await probeLoop(server());
    const after = await state();
    // Jobs of earlier requests may end meanwhile, but no job is added.
    expect(after.rows.jobs).toBeLessThanOrEqual(Number(before.rows.jobs));
    expect({ ...after, rows: { ...after.rows, jobs: before.rows.jobs } }).toEqual(before);
    expect((await loopOf(server())).passedAt).toBe(new Date(server().clock.now()).toISOString());
    const { featureName } = await givenFlag(server());
    expect((await stream.next())?.data.events).toMatchObject([{ feature: { name: featureName } }]);
  });

  async function streamMetrics() {
    const { sdk_streams_open: open, sdk_stream_messages_total: messages } = await metricsOf(server());
    return { open, messages };
  }

  it('says that automation is halted, and does not fail', async () => {
    const freeze = (body: object) => server().admin.call('POST /api/admin/automation', { body });
    const failures = await failuresOf(server());
    await freeze({ frozen: true, reason: 'Incident 7' });
    await passProbe(server());
    expect(await loopOf(server())).toMatchObject({
      passedAt: new Date(server().clock.now()).toISOString(),
      stoppedAt: null,
      halted: 'Automation is frozen: Incident 7.',
    });
    await freeze({ frozen: false });
    await server().admin.call('POST /api/admin/maintenance', { body: { enabled: true } });
    await passProbe(server());
    expect(await loopOf(server())).toMatchObject({ stoppedAt: null, halted: 'The instance is in maintenance mode.' });
    await server().admin.call('POST /api/admin/maintenance', { body: { enabled: false } });
    await passProbe(server());
    expect((await loopOf(server())).halted).toBeNull();
    expect(await failuresOf(server())).toEqual(failures);
  });
});

/** Returns the number of rows of each table. */
async function rowsOf({ app: { database } }: TestServer): Promise<Record<string, number>> {
  const counts = tablesInOrder.map(async (table) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database.db);
    return [table, Number(rows[0]?.n)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

describe('a probe that does not come through', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });

  /** Expects that a probe fails at `step`, and that the next probe comes through after `repair`. */
  async function expectStop(step: 'ingest' | 'matching' | 'stream', repair: () => Promise<void> | void) {
    const { [step]: before = Number.NaN, ...others } = await failuresOf(server());
    const { passedAt } = await loopOf(server());
    await passProbe(server());
    expect(await loopOf(server())).toMatchObject({ passedAt, stoppedAt: step });
    expect(await failuresOf(server())).toEqual({ ...others, [step]: before + 1 });
    await repair();
    await passProbe(server());
    expect(await loopOf(server())).toMatchObject({
      passedAt: new Date(server().clock.now()).toISOString(),
      stoppedAt: null,
    });
    expect(await failuresOf(server())).toEqual({ ...others, [step]: before + 1 });
  }

  it('stops at ingest while the database takes no signals', async () => {
    await expectStop('ingest', await refuse(server(), "update on counters when old.name = 'signal'"));
  });

  it('stops at matching while the signals of an endpoint cannot be handled', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), {}, place);
    const repair = await refuse(server(), 'insert on action_cursors');
    await signal(server(), place);
    expect(await runsOf(server(), set)).toEqual([]);
    await expectStop('matching', async () => {
      await repair();
      await server().app.service.actions.idle();
      expect(await runsOf(server(), set)).toMatchObject([{ state: 'success' }]);
    });
  });

  it('stops at the stream while its number for the caches cannot be written', async () => {
    await expectStop('stream', await refuse(server(), "update on counters when old.name = 'probe'"));
  });

  it('advances a number that the caches of this server read', async () => {
    const { feed } = server().app.database;
    await probeLoop(server());
    const before = feed.probe;
    await probeLoop(server());
    expect(feed.probe).toBeGreaterThan(before);
  });

  it('stops at the stream while a cache of this server cannot follow the changes', async () => {
    let broken = true;
    server().app.database.feed.subscribe(
      onEvents(() => {
        if (broken) throw new Error('the cache cannot be read');
      }),
    );
    await givenFlagIn(server());
    await expectStop('stream', () => {
      broken = false;
    });
  });

  it('fails after 10 seconds, and in each further minute while it waits', async () => {
    const release = await holdChange(server());
    server().clock.advance(1);
    const probe = probeLoop(server());
    await yieldToEventLoop();
    // With SQLite, an open change also blocks the write of signals, so the probe already stops at ingest.
    const step = engine === 'sqlite' ? 'ingest' : 'matching';
    if (step === 'matching') await expect.poll(() => signalCounterMovedAt(server())).toBe(server().clock.now());
    server().clock.advance(10_000);
    await probe;
    const { [step]: failures = Number.NaN } = await failuresOf(server());
    expect((await loopOf(server())).stoppedAt).toBe(step);
    await passProbe(server());
    expect(await failuresOf(server())).toMatchObject({ [step]: failures + 1 });
    await release();
    const stoppedAt = async () => {
      await passProbe(server());
      return (await loopOf(server())).stoppedAt;
    };
    await expect.poll(stoppedAt).toBeNull();
  });
});

/** Returns the time of the last commit of signals. */
async function signalCounterMovedAt({ app: { database } }: TestServer): Promise<number> {
  const counters = database.db.selectFrom('counters').select('moved_at').where('name', '=', 'signal');
  return (await counters.executeTakeFirstOrThrow()).moved_at;
}

describe('a server that stops', () => {
  it('waits for the probe that is on its way, which does not count as failed', async () => {
    const storage = await createStorage();
    const server = await startServer(storage);
    await Promise.all([probeLoop(server), server.stop()]);
    expect(server.logged.filter((line) => line.includes('the loop from a signal'))).toEqual([]);
    await storage.remove();
  });
});

describe('without the loop probe', () => {
  const server = useServer({ loopProbe: false });

  it('Now and the metrics have nothing of it', async () => {
    expect(await loopOf(server())).toBeNull();
    expect(Object.keys(await metricsOf(server())).filter((name) => name.startsWith('loop'))).toEqual([]);
  });
});

describe.runIf(engine === 'postgres')('two servers on one database', () => {
  it('each watch their own loop', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-on-both'] };
    const first = await startServer(storage, settings);
    const second = await startServer(storage, settings);
    first.app.database.feed.subscribe(
      onEvents(() => {
        throw new Error('the cache cannot be read');
      }),
    );
    await givenSdk(first);
    await Promise.all([probeLoop(first), probeLoop(second)]);
    const loops = [first, second].map(async (server) => (await server.admin.call('GET /api/admin/now')).json.loop);
    expect(await Promise.all(loops)).toMatchObject([
      { passedAt: null, stoppedAt: 'stream' },
      { passedAt: new Date(second.clock.now()).toISOString(), stoppedAt: null },
    ]);
    await first.stop();
    await second.stop();
    await storage.remove();
  });
});
