import { describe, expect, it } from 'vitest';
import { addRecorded, author, onEvents, useDatabase } from '#testing/database.ts';
import { remember } from '#testing/rewind.ts';
import { engine } from '#testing/server.ts';
import { ChangeFeed } from './change-feed.ts';
import { advanceCounter } from './counter.ts';
import type { Database } from './database.ts';
import { withListener } from './kysely-connection.ts';
import type { EventRow } from './tables/events.ts';

/** Subscribes to the feed. Returns a list to which the ids of all later events are added. */
function listening({ feed }: Pick<Database, 'feed'>): number[] {
  const heard: number[] = [];
  feed.subscribe(onEvents((events) => void heard.push(...events.map(({ id }) => id))));
  return heard;
}

const write = (database: Database, name: string) => database.write(author, addRecorded(name));
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Resolves when the feed has passed `id` to its listeners. */
async function reached({ feed }: Database, id: number): Promise<void> {
  const deadline = Date.now() + 5000;
  while (feed.seen < id) {
    if (Date.now() > deadline) throw new Error(`the feed reached event ${feed.seen}, not ${id}, within 5 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('the feed of events', () => {
  const given = useDatabase();

  it('tells every listener of each event once, in order, however many are written at once', async () => {
    const { database } = given();
    await write(database, 'before');
    const [first, second] = [listening(database), listening(database)];
    const from = database.feed.seen + 1;
    await Promise.all(range(1, 50).map((n) => write(database, `event-${n}`)));
    expect(first).toEqual(range(from, from + 49));
    expect(second).toEqual(first);
    expect(database.feed.seen).toBe(from + 49);
  });

  it('tells of changes that share a commit together', async () => {
    const { database } = given();
    let times = 0;
    database.feed.subscribe(onEvents(() => void times++));
    await Promise.all(range(1, 50).map((n) => write(database, `together-${n}`)));
    expect(times).toBeLessThan(10);
  });

  it('tells a listener that failed again with the next events, and says that it failed', async () => {
    const { database, troubles } = given();
    const heard: number[] = [];
    let fails = true;
    database.feed.subscribe(
      onEvents((events) => {
        if (fails) throw new Error('not now');
        heard.push(...events.map(({ id }) => id));
      }),
    );
    const first = database.feed.seen + 1;
    await write(database, 'unheard');
    expect(heard).toEqual([]);
    expect(database.feed.seen).toBe(first - 1);
    expect(troubles.map(String)).toContain('Error: not now');
    fails = false;
    await write(database, 'heard');
    expect(heard).toEqual([first, first + 1]);
  });

  it('tells the other listeners when one fails, and not again when that one is told again', async () => {
    const { database } = given();
    let fails = true;
    database.feed.subscribe(
      onEvents(() => {
        if (fails) throw new Error('not now');
      }),
    );
    const heard = listening(database);
    await write(database, 'revoked');
    fails = false;
    expect(heard).toHaveLength(1);
    database.feed.wake();
    await database.feed.idle();
    expect(heard).toHaveLength(1);
  });

  it('tells a listener that failed again soon, though nothing else happens', async () => {
    const { database } = given();
    let fails = true;
    database.feed.subscribe(
      onEvents(() => {
        if (!fails) return;
        fails = false;
        throw new Error('not now');
      }),
    );
    const heard = listening(database);
    const missed = database.feed.seen + 1;
    await write(database, 'once');
    await reached(database, missed);
    expect(heard).toContain(missed);
  });

  it('looks again when it is woken after a look that failed', async () => {
    const { database } = given();
    let fails = false;
    const away: unknown[] = [];
    const flaky = withListener(database.db, () => {
      if (fails) throw new Error('the database is away');
    });
    const feed = new ChangeFeed(
      flaky,
      () => Promise.reject(new Error('the log has not gone back')),
      (error) => away.push(error),
    );
    await feed.start();
    const heard = listening({ feed });
    await write(database, 'unheard of');
    fails = true;
    feed.wake();
    await feed.idle();
    expect(away.map(String)).toEqual(['Error: the database is away']);
    fails = false;
    feed.wake();
    await feed.idle();
    expect(heard.at(-1)).toBe(database.feed.seen);
    await feed.stop();
  });

  it('catches up in pages when it is woken', async () => {
    const { database } = given();
    const pages: number[][] = [];
    let fails = true;
    database.feed.subscribe(
      onEvents((events) => {
        if (fails) throw new Error('not now');
        pages.push(events.map(({ id }) => id));
      }),
    );
    const first = database.feed.seen + 1;
    await database.write(author, async (tx) => {
      for (let n = 0; n < 1200; n++) tx.record({ type: 'project-created', data: { n } });
    });
    fails = false;
    database.feed.wake();
    await database.feed.idle();
    expect(pages.flat()).toEqual(range(first, first + 1199));
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 200]);
  });
});

describe('the feed of a log that goes back', () => {
  const given = useDatabase();
  const names = (events: readonly EventRow[]) => events.map(({ data }) => (JSON.parse(data ?? '{}') as Named).name);
  type Named = { readonly name?: string };

  /** Follows the feed: the names of the events, and the position of each reset. */
  function followed({ feed }: Database): (string | number | undefined)[] {
    const heard: (string | number | undefined)[] = [];
    feed.subscribe({ events: (events) => void heard.push(...names(events)), reset: ({ id }) => void heard.push(id) });
    return heard;
  }
  const wentBack = async ({ db }: Database) =>
    (await db.selectFrom('events').select('id').where('type', '=', 'log-went-back').orderBy('id').execute()).map(
      ({ id }) => id,
    );

  it('resets the listeners once and records it once, in a new epoch', async () => {
    const { database } = given();
    await write(database, 'kept');
    const back = await remember(database);
    const before = { seen: database.feed.seen, epoch: database.feed.epoch };
    for (const n of range(1, 10)) await write(database, `lost-${n}`);
    const heard = followed(database);
    await back();
    await database.feed.catchUp();
    await database.feed.catchUp();
    expect(await wentBack(database)).toEqual([before.seen + 1]);
    expect(heard).toEqual([before.seen + 1]);
    expect(database.feed.resets).toBe(1);
    expect(database.feed.epoch > before.epoch).toBe(true);
    await write(database, 'after');
    expect(heard).toEqual([before.seen + 1, 'after']);
  });

  it.each([
    ['as many', 10],
    ['more', 12],
  ])('resets the listeners when %s events were written again with the same ids', async (_, count) => {
    const { database, openAnother } = given();
    const resets = database.feed.resets;
    const back = await remember(database);
    for (const n of range(1, 10)) await write(database, `lost ${count}-${n}`);
    const heard = followed(database);
    await back();
    // The process that writes has not seen the lost events.
    const other = engine === 'postgres' ? await openAnother() : undefined;
    if (other === undefined) await writeUnnoticed(database, count);
    else for (const n of range(1, count)) await write(other, `again ${count}-${n}`);
    await database.feed.catchUp();
    expect(database.feed.resets).toBe(resets + 1);
    // The reset comes first, then at most events that were written after it.
    expect(heard[0]).toBeTypeOf('number');
    expect(heard.filter((item) => String(item).startsWith('lost'))).toEqual([]);
  });

  it('looks at the log when a change of its own follows the id that was seen, but not the event', async () => {
    const { database } = given();
    const resets = database.feed.resets;
    const back = await remember(database);
    for (const n of range(1, 10)) await write(database, `lost before-${n}`);
    const heard = followed(database);
    await back();
    await writeUnnoticed(database, 10);
    await write(database, 'own');
    expect(database.feed.resets).toBe(resets + 1);
    expect(heard).toEqual([database.feed.seen]);
  });

  it('resets a listener that has handled more events than another one that fails', async () => {
    const { database } = given();
    const back = await remember(database);
    await write(database, 'first');
    let fails = true;
    database.feed.subscribe(
      onEvents(() => {
        if (fails) throw new Error('not now');
      }),
    );
    const heard = followed(database);
    await write(database, 'lost beyond');
    expect(heard).toEqual(['lost beyond']);
    await back();
    await writeUnnoticed(database, 1);
    fails = false;
    await database.feed.catchUp();
    await write(database, 'next');
    expect(heard).toEqual(['lost beyond', expect.any(Number), 'next']);
  });

  it('resets a listener again when its reset fails, and not the others', async () => {
    const { database, troubles } = given();
    const back = await remember(database);
    await write(database, 'lost for one');
    let fails = true;
    const first = followed(database);
    let resets = 0;
    database.feed.subscribe({
      events: () => undefined,
      reset: () => {
        resets++;
        if (fails) throw new Error('cannot load');
      },
    });
    await back();
    database.feed.wake();
    await database.feed.idle();
    expect(troubles.map(String)).toContain('Error: cannot load');
    // The feed retries by itself, so it may have failed more than once.
    const failed = resets;
    fails = false;
    await database.feed.catchUp();
    expect(resets).toBe(failed + 1);
    expect(first).toEqual([expect.any(Number)]);
  });

  it('does not take an event that retention deleted for a log that went back', async () => {
    const { database } = given();
    const resets = database.feed.resets;
    await write(database, 'old');
    await database.writeQuietly('retention', author, async (tx) => {
      await tx.db.deleteFrom('events').where('id', '=', database.feed.seen).execute();
    });
    await database.feed.catchUp();
    const heard = followed(database);
    await write(database, 'new');
    expect([database.feed.resets, heard]).toEqual([resets, ['new']]);
  });

  it('begins a later epoch when the log goes back behind an epoch', async () => {
    const { database } = given();
    const back = await remember(database);
    const earlier = [database.feed.epoch];
    for (const _ of range(1, 2)) {
      await write(database, 'lost again');
      await back();
      await database.feed.catchUp();
      earlier.push(database.feed.epoch);
    }
    expect(earlier).toEqual([...new Set(earlier)].toSorted());
  });
});

/** Writes events past the feed, as a process does that has not seen the events that were lost. */
async function writeUnnoticed(database: Database, count: number): Promise<void> {
  await database.writeQuietly('log epoch', author, async (tx) => {
    const { last, at } = await advanceCounter(tx.db, 'event', count, tx.now);
    const rows = range(last - count + 1, last).map((id) => ({ id, created_at: at, digest: `unnoticed ${id}` }));
    const columns = { type: 'project-created', created_by: 'somebody else', tags: '[]' };
    await tx.db
      .insertInto('events')
      .values(rows.map((row) => ({ ...noColumns, ...columns, ...row })))
      .execute();
  });
}

const noColumns = {
  created_by_user_id: null,
  data: null,
  pre_data: null,
  feature_name: null,
  project: null,
  environment: null,
  group_type: null,
  group_id: null,
  request_id: null,
  signal_id: null,
  run_id: null,
  origin: null,
  outcome: null,
  reason: null,
};

describe('a feed that was stopped', () => {
  const given = useDatabase();

  it('reads nothing when an announcement arrives later, as the database may be closed', async () => {
    const { database, troubles } = given();
    const reads: string[] = [];
    const feed = new ChangeFeed(
      withListener(database.db, (sql) => reads.push(sql)),
      () => Promise.reject(new Error('begins no epoch')),
      (error) => troubles.push(error),
    );
    await feed.start();
    await feed.stop();
    reads.length = 0;
    feed.wake();
    await feed.idle();
    expect([reads, troubles]).toEqual([[], []]);
  });
});

describe.runIf(engine === 'postgres')('the feeds of two processes', () => {
  const given = useDatabase();

  it('tell both of all events once and in order, while both write', async () => {
    const { database, openAnother } = given();
    await write(database, 'before');
    const other = await openAnother();
    expect(other.feed.seen).toBe(database.feed.seen);
    const from = database.feed.seen + 1;
    const [here, there] = [listening(database), listening(other)];
    await Promise.all(range(1, 40).map((n) => write(n % 2 === 0 ? database : other, `both-${n}`)));
    await Promise.all([reached(database, from + 39), reached(other, from + 39)]);
    expect(here).toEqual(range(from, from + 39));
    expect(there).toEqual(here);
  });

  it('pass earlier changes of the other process to the writer before its own change resolves', async () => {
    const { database, openAnother } = given();
    const other = await openAnother();
    const heard = listening(database);
    await write(other, 'there');
    await write(database, 'here');
    expect(heard.slice(-2)).toEqual([database.feed.seen - 1, database.feed.seen]);
  });

  it('record once that the log went back, and both are reset', async () => {
    const { database, openAnother } = given();
    const other = await openAnother();
    const back = await remember(database);
    for (const n of range(1, 10)) await write(database, `lost by both-${n}`);
    await reached(other, database.feed.seen);
    await back();
    await Promise.all([database.feed.catchUp(), other.feed.catchUp()]);
    expect([database.feed.resets, other.feed.resets]).toEqual([1, 1]);
    expect(other.feed.epoch).toBe(database.feed.epoch);
    const recorded = await database.db.selectFrom('events').select('id').where('type', '=', 'log-went-back').execute();
    expect(recorded).toHaveLength(1);
  });
});
