import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { addEndpoint, addRecorded, author, endpointNames, recordedNames, useDatabase } from '../../testing/database.ts';
import { Problem } from '../kernel/errors.ts';
import type { Tx } from './tx.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a change', () => {
  const given = useDatabase();

  it('stores rows, events and jobs together', async () => {
    const { database, clock } = given();
    const answer = await database.write(author, async (tx) => {
      tx.enqueue({ kind: 'later', payload: { n: 1 }, runAt: 42 });
      return addRecorded('whole')(tx);
    });
    expect(answer).toBe('whole');
    expect(await endpointNames(database)).toContain('whole');
    const event = await database.db.selectFrom('events').selectAll().orderBy('id', 'desc').executeTakeFirst();
    expect(event).toMatchObject({
      type: 'signal-endpoint-created',
      created_at: clock.now(),
      created_by: 'tester',
      created_by_user_id: 7,
      data: '{"name":"whole"}',
      pre_data: null,
      request_id: 'request-1',
      group_id: null,
    });
    const job = await database.db.selectFrom('jobs').selectAll().where('kind', '=', 'later').executeTakeFirst();
    expect(job).toMatchObject({ payload: '{"n":1}', run_at: 42, attempts: 0 });
  });

  it('is refused when it touches rows and records no event, however it touches them', async () => {
    const { database } = given();
    await database.write(author, addRecorded('untouched'));
    const before = await endpointNames(database);
    const table = 'signal_endpoints' as const;
    const row = { name: 'silent', description: null, enabled: 1, created_at: 0, created_by_user_id: 0 };
    const refused = [
      database.write(author, (tx) => addEndpoint(tx, 'silent')),
      database.write(author, (tx) => tx.db.insertInto(table).values(row).returning('id').execute()),
      database.write(author, (tx) => tx.db.updateTable(table).set({ enabled: 0 }).execute()),
      database.write(author, (tx) =>
        tx.db
          .with('all', (db) => db.selectFrom(table).select('id'))
          .updateTable(table)
          .set({ enabled: 0 })
          .where('id', 'in', (eb) => eb.selectFrom('all').select('id'))
          .returning('id')
          .execute(),
      ),
      database.write(author, (tx) => tx.db.deleteFrom(table).execute()),
    ];
    const outcomes = await Promise.allSettled(refused);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(
      numbers(5).map(() => 'Error: a change that records no event cannot commit'),
    );
    expect(await endpointNames(database)).toEqual(before);
  });

  it('passes without an event when it only looks', async () => {
    const { database } = given();
    const before = await recordedNames(database);
    const found = await database.write(author, async (tx) => [
      ...(await tx.db.selectFrom('signal_endpoints').select('id').execute()),
      ...(await tx.db
        .with('all', (db) => db.selectFrom('signal_endpoints').select('id'))
        .selectFrom('all')
        .select('id')
        .execute()),
    ]);
    expect(found.length).toBeGreaterThan(0);
    await database.write(author, (tx) => tx.db.deleteFrom('signal_endpoints').where('name', '=', 'nobody').execute());
    expect(await recordedNames(database)).toEqual(before);
  });

  it('may go on without waiting for what it asks, and still fails with it or undoes it', async () => {
    const { database } = given();
    const add = (tx: Tx, name: string) => tx.unawaited(addEndpoint(tx, name));
    const record = (tx: Tx, name: string) => tx.record({ type: 'signal-endpoint-created', data: { name } });
    await database.write(author, async (tx) => {
      add(tx, 'unawaited');
      record(tx, 'unawaited');
    });
    const before = [await endpointNames(database), await recordedNames(database)] as const;
    expect(before[0]).toContain('unawaited');
    const taken = database.write(author, async (tx) => {
      add(tx, 'unawaited');
      record(tx, 'unawaited');
    });
    const thrown = database.write(author, async (tx) => {
      add(tx, 'unawaited and undone');
      throw new Error('of its own');
    });
    const unrecorded = database.write(author, async (tx) => add(tx, 'unawaited and silent'));
    const last = database.write(author, addRecorded('after the unawaited'));
    await expect(taken).rejects.toThrow(/unique/i);
    await expect(thrown).rejects.toThrow('of its own');
    await expect(unrecorded).rejects.toThrow('a change that records no event cannot commit');
    await last;
    expect(await endpointNames(database)).toEqual([...before[0], 'after the unawaited']);
    expect(await recordedNames(database)).toEqual([...before[1], 'after the unawaited']);
  });

  it('fails when it still asks for something after it has ended', async () => {
    const { database } = given();
    const late = database.write(author, async (tx) => {
      tx.record({ type: 'signal-endpoint-created', data: { name: 'late' } });
      tx.unawaited(
        Promise.resolve()
          .then(() => new Promise(setImmediate))
          .then(() => addEndpoint(tx, 'late')),
      );
    });
    await expect(late).rejects.toThrow('a change must have asked for everything by the time it ends');
    expect(await endpointNames(database)).not.toContain('late');
    await database.write(author, addRecorded('after the late one'));
    expect(await endpointNames(database)).toContain('after the late one');
  });

  it('ties its events together in a group', async () => {
    const { database } = given();
    await database.write(author, async (tx) => {
      await addRecorded('pair')(tx);
      tx.record({ type: 'signal-endpoint-updated', data: { name: 'pair' } });
    });
    const [second, first] = await database.db.selectFrom('events').selectAll().orderBy('id', 'desc').limit(2).execute();
    expect(first).toMatchObject({ type: 'signal-endpoint-created', group_type: 'transaction' });
    expect(second).toMatchObject({ type: 'signal-endpoint-updated', group_id: first?.group_id });
  });

  it('keeps a total of the events of each project and flag', async () => {
    const { database } = given();
    const record = (project: string, featureName?: string) =>
      database.write(author, async (tx) => {
        for (let i = 0; i < 2; i++) tx.record({ type: 'feature-created', project, featureName: featureName ?? null });
      });
    await Promise.all([record('p1', 'f1'), record('p1'), record('p2', 'f1'), record('p1', 'f1')]);
    const rows = await database.db.selectFrom('event_totals').selectAll().orderBy('scope').orderBy('name').execute();
    expect(rows).toEqual([
      { scope: 'feature', name: 'f1', total: 6 },
      { scope: 'project', name: 'p1', total: 6 },
      { scope: 'project', name: 'p2', total: 2 },
    ]);
  });

  it('never stamps an earlier time than the one before, even when the clock goes back', async () => {
    const { database, clock } = given();
    await database.write(author, addRecorded('now'));
    clock.set(-60_000);
    await database.write(author, addRecorded('earlier'));
    clock.advance(60_000);
    const rows = await database.db.selectFrom('events').select('created_at').orderBy('id', 'desc').limit(2).execute();
    expect(rows[0]).toEqual(rows[1]);
  });

  it('adds a job once while one of the same key waits', async () => {
    const { database } = given();
    const enqueue = () =>
      database.writeQuietly('jobs', author, async (tx) => tx.enqueue({ kind: 'once', uniqueKey: 'once' }));
    await Promise.all([enqueue(), enqueue()]);
    await enqueue();
    const jobs = await database.db.selectFrom('jobs').select('id').where('kind', '=', 'once').execute();
    expect(jobs).toHaveLength(1);
  });

  it('of the quiet kind must not record events, and leaves nothing when it does', async () => {
    const { database } = given();
    const quiet = database.writeQuietly('last seen', author, addRecorded('loud'));
    await expect(quiet).rejects.toThrow('a quiet write must not record events');
    expect(await endpointNames(database)).not.toContain('loud');
  });
});

describe('changes that come together', () => {
  const given = useDatabase();

  it('are undone one by one: what throws leaves nothing, what does not is stored', async () => {
    const { database } = given();
    const names = numbers(30).map((n) => `together-${n}`);
    const fails = (name: string) => name.endsWith('3') || name.endsWith('7');
    const outcomes = await Promise.allSettled(
      names.map((name) =>
        database.write(author, async (tx) => {
          tx.enqueue({ kind: name });
          await addRecorded(name)(tx);
          if (fails(name)) throw new Problem('BadDataError', name);
          return name;
        }),
      ),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const name = names[index] ?? '';
      if (fails(name)) expect(outcome).toMatchObject({ status: 'rejected', reason: { message: name } });
      else expect(outcome).toEqual({ status: 'fulfilled', value: name });
    }
    const stored = names.filter((name) => !fails(name));
    expect(await endpointNames(database)).toEqual(stored);
    expect(await recordedNames(database)).toEqual(stored);
    const jobs = await database.db.selectFrom('jobs').select('kind').orderBy('id').execute();
    expect(jobs.map(({ kind }) => kind)).toEqual(stored);
  });

  it('are made again, each waiting for the one before, when what one asked last is refused', async () => {
    const { database } = given();
    await database.write(author, addRecorded('taken'));
    const before = await endpointNames(database);
    const runs = new Map<string, number>();
    const change = (name: string, asks: string) =>
      database.write(author, async (tx) => {
        runs.set(name, (runs.get(name) ?? 0) + 1);
        const seen = await tx.db
          .selectFrom('signal_endpoints')
          .select('name')
          .where('name', '=', 'pipelined')
          .execute();
        tx.unawaited(addEndpoint(tx, asks));
        tx.record({ type: 'signal-endpoint-created', data: { name: asks } });
        return seen.length;
      });
    const outcomes = await Promise.allSettled([
      change('pipelined', 'pipelined'),
      change('second', 'taken'),
      change('third', 'third'),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: 0 },
      { status: 'rejected', reason: { message: expect.stringMatching(/unique/i) } },
      { status: 'fulfilled', value: 1 },
    ]);
    expect(Object.fromEntries(runs)).toEqual({ pipelined: 2, second: 2, third: 2 });
    expect(await endpointNames(database)).toEqual([...before, 'pipelined', 'third']);
    expect(await recordedNames(database)).toEqual([...before, 'pipelined', 'third']);
  });

  it('run one at a time, so that what one has read stays true until it commits', async () => {
    const { database } = given();
    const most = 5;
    const take = () =>
      database.write(author, async (tx) => {
        const rows = await tx.db.selectFrom('signal_endpoints').select('id').where('name', 'like', 'seat-%').execute();
        if (rows.length >= most) throw new Problem('ExceedsLimitError', 'full');
        await addRecorded(`seat-${rows.length}`)(tx);
      });
    const outcomes = await Promise.allSettled(numbers(20).map(take));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(most);
    const seats = (await endpointNames(database)).filter((name) => name.startsWith('seat-'));
    expect(seats).toEqual(numbers(most).map((n) => `seat-${n}`));
  });

  it('number events and rows without gaps, in the order of their commits', async () => {
    const { database } = given();
    const [{ value: before = 0 } = {}] = await database.db
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'signal')
      .execute();
    const signals = {
      table: 'signals',
      columns: [
        ['id', 'integer'],
        ['created_at', 'integer'],
        ['endpoint_id', 'integer'],
        ['token_id', 'integer'],
        ['payload', 'text'],
      ],
    } as const;
    const resolved: string[] = [];
    const changes = numbers(60).map(async (n) => {
      resolved.push(await database.write(author, addRecorded(`row-${n}`)));
    });
    const appends = numbers(40).map((n) =>
      database.append('signal ingest', 'signal', signals, [
        [1, 1, `"${n}a"`],
        [1, 1, `"${n}b"`],
      ]),
    );
    await Promise.all(changes);
    const appended = await Promise.all(appends);
    expect((await recordedNames(database)).slice(-60)).toEqual(resolved);
    expect(appended.map(({ first }) => first).toSorted((a, b) => a - b)).toEqual(
      numbers(40).map((n) => before + 2 * n + 1),
    );
    for (const [n, { first }] of appended.entries()) {
      const pair = await database.db
        .selectFrom('signals')
        .select(['id', 'payload'])
        .where('id', '>=', first)
        .orderBy('id')
        .limit(2)
        .execute();
      expect(pair).toEqual([
        { id: first, payload: `"${n}a"` },
        { id: first + 1, payload: `"${n}b"` },
      ]);
    }
  });

  it('fail together when their commit fails, and leave nothing', async () => {
    const { database } = given();
    await database.writeQuietly('jobs', author, async (tx) => {
      await sql`create table test_parents (id integer primary key)`.execute(tx.db);
      await sql`create table test_children (parent integer references test_parents (id) deferrable initially deferred)`.execute(
        tx.db,
      );
    });
    const before = await recordedNames(database);
    const woken: string[] = [];
    const good = (name: string) =>
      database.write(author, async (tx) => {
        tx.afterCommit(() => woken.push(name));
        return addRecorded(name)(tx);
      });
    const bad = database.write(author, async (tx) => {
      await sql`insert into test_children (parent) values (1)`.execute(tx.db);
      tx.record({ type: 'project-created' });
    });
    const outcomes = await Promise.allSettled([good('first'), bad, good('last')]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/foreign key/i) } });
    expect(woken).toEqual([]);
    expect(await recordedNames(database)).toEqual(before);
    expect(await endpointNames(database)).not.toContain('first');
    expect(await good('again')).toBe('again');
  });
});

describe('after a commit', () => {
  const given = useDatabase();

  it('wakes are called once what they wake for can be read, and not for what was undone', async () => {
    const { database } = given();
    const seen: Promise<string[]>[] = [];
    const write = (name: string, fails: boolean) =>
      database.write(author, async (tx) => {
        tx.afterCommit(() => seen.push(endpointNames(database)));
        await addRecorded(name)(tx);
        expect(seen).toHaveLength(0);
        if (fails) throw new Error('undone');
      });
    await Promise.allSettled([write('kept', false), write('undone', true)]);
    expect(await Promise.all(seen)).toEqual([['kept']]);
  });

  it('whoever waits for jobs is woken, and only for jobs', async () => {
    const { database } = given();
    let woken = 0;
    database.onEnqueue(() => {
      woken++;
    });
    await database.write(author, addRecorded('no-job'));
    expect(woken).toBe(0);
    await database.writeQuietly('jobs', author, async (tx) => tx.enqueue({ kind: 'wake' }));
    expect(woken).toBe(1);
  });

  it('every listener has heard of the events before the change resolves', async () => {
    const { database } = given();
    const heard: number[] = [];
    database.feed.subscribe(async (events) => {
      await new Promise((resolve) => setImmediate(resolve));
      heard.push(...events.map(({ id }) => id));
    });
    await Promise.all(
      numbers(10).map(async (n) => {
        await database.write(author, addRecorded(`heard-${n}`));
        expect(heard.at(-1)).toBe(database.feed.seen);
        expect(heard.length).toBeGreaterThan(n);
      }),
    );
    expect(heard).toEqual(numbers(10).map((n) => (heard[0] ?? 0) + n));
  });
});
