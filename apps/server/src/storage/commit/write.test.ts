import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import {
  addEndpoint,
  addRecorded,
  author,
  endpointNames,
  onEvents,
  recordedNames,
  useDatabase,
} from '#testing/database.ts';
import type { EventGroup } from '../tx.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('write', () => {
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

  it('rejects a change that inserts, updates or deletes rows and records no event', async () => {
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

  it('accepts a change without events that changes no row', async () => {
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

  it('refuses a statement that is sent after the change has ended', async () => {
    const { database } = given();
    const ended = Promise.withResolvers<void>();
    let late: Promise<void> | undefined;
    await database.write(author, async (tx) => {
      late = ended.promise.then(() => addEndpoint(tx, 'late'));
      return addRecorded('in time')(tx);
    });
    ended.resolve();
    await expect(late).rejects.toThrow('a change sent a statement after it had ended');
    await database.write(author, addRecorded('after the late statement'));
    expect((await endpointNames(database)).slice(-2)).toEqual(['in time', 'after the late statement']);
  });

  it('gives the events of a change a common group', async () => {
    const { database } = given();
    await database.write(author, async (tx) => {
      await addRecorded('pair')(tx);
      tx.record({ type: 'signal-endpoint-updated', data: { name: 'pair' } });
    });
    const [second, first] = await database.db.selectFrom('events').selectAll().orderBy('id', 'desc').limit(2).execute();
    expect(first).toMatchObject({ type: 'signal-endpoint-created', group_type: 'transaction' });
    expect(second).toMatchObject({ type: 'signal-endpoint-updated', group_id: first?.group_id });
  });

  it('gives hooks the events of a change and the group that it joined, not those of its nested changes', async () => {
    const { database } = given();
    const seen: [string[], EventGroup | null][] = [];
    let open = true;
    database.beforeCommit(async (_, { events, group }) => {
      if (open) seen.push([events.map(({ data }) => (data as { readonly name: string }).name), group]);
    });
    const group: EventGroup = { type: 'change-request', id: '12' };
    await database.write(author, async (tx) => {
      tx.joinGroup(group);
      await addRecorded('outer')(tx);
      await tx.nested(author, addRecorded('inner'));
    });
    open = false;
    expect(seen).toEqual([
      [['inner'], null],
      [['outer'], group],
    ]);
    const rows = await database.db.selectFrom('events').selectAll().orderBy('id', 'desc').limit(2).execute();
    expect(rows.map(({ group_type, group_id }) => [group_type, group_id]).at(-1)).toEqual(['change-request', '12']);
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

  it('never gives an event an earlier time than the event before, even when the clock goes back', async () => {
    const { database, clock } = given();
    await database.write(author, addRecorded('now'));
    clock.set(-60_000);
    await database.write(author, addRecorded('earlier'));
    clock.advance(60_000);
    const rows = await database.db.selectFrom('events').select('created_at').orderBy('id', 'desc').limit(2).execute();
    expect(rows[0]).toEqual(rows[1]);
  });

  it('adds a job once while a job with the same key is queued', async () => {
    const { database } = given();
    const enqueue = () =>
      database.writeQuietly('jobs', author, async (tx) => tx.enqueue({ kind: 'once', uniqueKey: 'once' }));
    await Promise.all([enqueue(), enqueue()]);
    await enqueue();
    const jobs = await database.db.selectFrom('jobs').select('id').where('kind', '=', 'once').execute();
    expect(jobs).toHaveLength(1);
  });

  it('replaces the queued job with the same key: the last replacement of a change counts', async () => {
    const { database } = given();
    const job = (runAt: number) => ({ kind: 'replaced', runAt });
    const queued = async () => {
      const rows = await database.db.selectFrom('jobs').select('run_at').where('kind', '=', 'replaced').execute();
      return rows.map((row) => row.run_at);
    };
    const replace = (...jobs: (ReturnType<typeof job> | undefined)[]) =>
      database.write(author, async (tx) => {
        for (const next of jobs) tx.replaceJob('replaced', next);
      });
    await replace(job(1));
    await replace(job(2), job(3));
    expect(await queued()).toEqual([3]);
    await database.write(author, async (tx) => {
      tx.replaceJob('replaced', job(4));
      await tx.nested(author, async (part) => part.replaceJob('replaced', job(5)));
      const failing = tx.nested(author, async (part) => {
        part.replaceJob('replaced', job(6));
        throw new Problem('BadDataError', 'no');
      });
      await expect(failing).rejects.toThrow('no');
    });
    expect(await queued()).toEqual([5]);
    await replace(job(7), undefined);
    expect(await queued()).toEqual([]);
  });

  it('rejects a quiet write that replaces a job: it does not take its turn among changes', async () => {
    const { database } = given();
    const quiet = database.writeQuietly('jobs', author, async (tx) => tx.replaceJob('once', undefined));
    await expect(quiet).rejects.toThrow('a quiet write must not replace jobs');
  });

  it('rejects a quiet write that records an event, and stores nothing of it', async () => {
    const { database } = given();
    const quiet = database.writeQuietly('last seen', author, addRecorded('loud'));
    await expect(quiet).rejects.toThrow('a quiet write must not record events');
    expect(await endpointNames(database)).not.toContain('loud');
  });
});

describe('concurrent changes', () => {
  const given = useDatabase();

  it('are rolled back one by one: a change that throws stores nothing, the others are stored', async () => {
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

  it('run one at a time, so that what a change has read stays true until it commits', async () => {
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

  it('number events and rows without gaps, in commit order', async () => {
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

  it('fail together when their commit fails, and store nothing', async () => {
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

  it('calls wakes when the rows can be read, and not for a change that was rolled back', async () => {
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

  it('calls the wakes of a nested change, and stores its jobs', async () => {
    const { database } = given();
    const woken: string[] = [];
    await database.write(author, async (tx) => {
      await addRecorded('outer')(tx);
      await tx.nested(author, async (part) => {
        await addRecorded('nested')(part);
        part.afterCommit(() => woken.push('nested'));
        part.enqueue({ kind: 'of a nested change' });
        part.replaceJob('key-of-nested', { kind: 'replaced by a nested change' });
      });
      expect(woken).toEqual([]);
    });
    expect(woken).toEqual(['nested']);
    const kinds = (await database.db.selectFrom('jobs').select('kind').orderBy('id').execute()).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['of a nested change', 'replaced by a nested change']));
  });

  it('calls the listeners of jobs for changes with jobs only', async () => {
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

  it('resolves a change when every feed listener has handled its events', async () => {
    const { database } = given();
    const heard: number[] = [];
    database.feed.subscribe(
      onEvents(async (events) => {
        await new Promise((resolve) => setImmediate(resolve));
        heard.push(...events.map(({ id }) => id));
      }),
    );
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
