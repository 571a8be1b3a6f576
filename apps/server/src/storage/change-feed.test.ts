import { describe, expect, it } from 'vitest';
import { addRecorded, author, useDatabase } from '../../testing/database.ts';
import { engine } from '../../testing/server.ts';
import { ChangeFeed } from './change-feed.ts';
import type { Database } from './database.ts';

/** Subscribes to the feed. Returns a list to which the ids of all later events are added. */
function listening({ feed }: Database): number[] {
  const heard: number[] = [];
  feed.subscribe((events) => void heard.push(...events.map(({ id }) => id)));
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
    database.feed.subscribe(() => void times++);
    await Promise.all(range(1, 50).map((n) => write(database, `together-${n}`)));
    expect(times).toBeLessThan(10);
  });

  it('tells a listener that failed again with the next events, and says that it failed', async () => {
    const { database, troubles } = given();
    const heard: number[] = [];
    let fails = true;
    database.feed.subscribe((events) => {
      if (fails) throw new Error('not now');
      heard.push(...events.map(({ id }) => id));
    });
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
    database.feed.subscribe(() => {
      if (fails) throw new Error('not now');
    });
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
    database.feed.subscribe(() => {
      if (!fails) return;
      fails = false;
      throw new Error('not now');
    });
    const heard = listening(database);
    const missed = database.feed.seen + 1;
    await write(database, 'once');
    await reached(database, missed);
    expect(heard).toContain(missed);
  });

  it('looks again when it is woken after a look that failed', async () => {
    const { database } = given();
    let fails = true;
    const away: unknown[] = [];
    const flaky: Pick<Database['db'], 'selectFrom'> = {
      selectFrom: ((...from: Parameters<Database['db']['selectFrom']>) => {
        if (fails) throw new Error('the database is away');
        return database.db.selectFrom(...from);
      }) as Database['db']['selectFrom'],
    };
    const feed = new ChangeFeed(flaky as unknown as ConstructorParameters<typeof ChangeFeed>[0], (error) =>
      away.push(error),
    );
    const heard: number[] = [];
    feed.subscribe((events) => void heard.push(...events.map(({ id }) => id)));
    await write(database, 'unheard of');
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
    database.feed.subscribe((events) => {
      if (fails) throw new Error('not now');
      pages.push(events.map(({ id }) => id));
    });
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
});
