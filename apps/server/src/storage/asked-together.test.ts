import { describe, expect, it } from 'vitest';
import { addRecorded, author, recordedNames, useDatabase } from '../../testing/database.ts';
import { engine } from '../../testing/server.ts';
import { compiled } from './compiled.ts';
import { heardBy } from './database.ts';
import { sql, type Tx } from './tx.ts';

const endpointsNamed = compiled<{ names: readonly string[]; enabled: number }>().query(
  (db, { names, enabled }) =>
    db
      .selectFrom('signal_endpoints')
      .select(['name', 'description'])
      .where('name', 'in', names)
      .where('enabled', '=', enabled)
      .orderBy('id', 'desc'),
  { names: 'names', column: 'name' },
);

/** Sets a description; what is about the things of those names may ask it beside others, and with them. */
const describeEndpoints = compiled<{ names: readonly string[]; text: string }>().change(
  (db, { names, text }) => db.updateTable('signal_endpoints').set({ description: text }).where('name', 'in', names),
  ({ names }) => names.map((name) => `feature ${name}` as const),
  'names',
);

describe('what several readers ask for at the same time', () => {
  const given = useDatabase();
  async function withEndpoints(...names: readonly string[]) {
    const { database } = given();
    for (const name of names) await database.write(author, addRecorded(name));
    const heard: string[] = [];
    const { db } = heardBy(database, (sql) => heard.push(sql));
    const named = async (names: readonly string[], enabled = 1) =>
      (await endpointsNamed(db, { names, enabled })).map(({ name }) => name);
    return { named, heard };
  }

  it('is asked for once, and each gets what is theirs, in its order', async () => {
    const { named, heard } = await withEndpoints('a1', 'b1', 'c1');
    expect(
      await Promise.all([named(['a1']), named(['c1', 'a1']), named(['b1']), named(['a1']), named(['nowhere'])]),
    ).toEqual([['a1'], ['c1', 'a1'], ['b1'], ['a1'], []]);
    expect(heard).toHaveLength(1);
  });

  it('is asked for apart where anything but the names is different', async () => {
    const { named, heard } = await withEndpoints('a2');
    expect(await Promise.all([named(['a2']), named(['a2'], 0)])).toEqual([['a2'], []]);
    expect(heard).toHaveLength(2);
  });

  it('is asked for in several statements when it is much', async () => {
    const all = Array.from({ length: 40 }, (_, index) => `many-${index}`);
    const { named, heard } = await withEndpoints(...all);
    expect((await Promise.all(all.map((name) => named([name])))).flat()).toEqual(all);
    expect(heard).toHaveLength(3);
  });

  it('is asked for again when an answer was waited for in between', async () => {
    const { named, heard } = await withEndpoints('a3');
    await named(['a3']);
    await named(['a3']);
    expect(heard).toHaveLength(2);
  });

  it('fails for the one who asked what cannot be asked, and for nobody else', async () => {
    const { named } = await withEndpoints('a4');
    const [good, bad] = await Promise.allSettled([named(['a4']), named(['a\u0000'])]);
    expect(good).toEqual({ status: 'fulfilled', value: ['a4'] });
    // PostgreSQL has no text with this character.
    expect(bad?.status).toBe(engine === 'postgres' ? 'rejected' : 'fulfilled');
  });
});

describe('what changes beside each other ask for at the same time', () => {
  const given = useDatabase();
  async function withEndpoints(...names: readonly string[]) {
    const { database } = given();
    for (const name of names) await database.write(author, addRecorded(name));
    const recorded = await recordedNames(database);
    const change = <T>(name: string, work: (tx: Tx) => Promise<T>) => database.write(author, work, `feature ${name}`);
    const descriptions = async () => {
      const rows = await endpointsNamed(database.db, { names, enabled: 1 });
      return Object.fromEntries(rows.map(({ name, description }) => [name, description]));
    };
    return {
      change,
      descriptions,
      newlyRecorded: async () => (await recordedNames(database)).slice(recorded.length),
    };
  }
  const record = (tx: Tx, name: string) => tx.record({ type: 'signal-endpoint-updated', data: { name } });
  const read = async (tx: Tx, name: string) =>
    (await endpointsNamed(tx.db, { names: [name], enabled: 1 })).map(({ description }) => description);

  it('is done for each, in the order in which each asked', async () => {
    const names = ['a1', 'b1', 'c1', 'd1'];
    const { change, descriptions, newlyRecorded } = await withEndpoints(...names);
    const seen = await Promise.all(
      names.map((name, index) =>
        change(name, async (tx) => {
          const before = read(tx, name);
          tx.unawaited(describeEndpoints(tx, { names: [name], text: 'first' }));
          const between = read(tx, name);
          tx.unawaited(describeEndpoints(tx, { names: [name], text: index % 2 === 0 ? 'even' : 'odd' }));
          record(tx, name);
          record(tx, name);
          return [...(await before), ...(await between), ...(await read(tx, name))];
        }),
      ),
    );
    expect(seen).toEqual([
      [null, 'first', 'even'],
      [null, 'first', 'odd'],
      [null, 'first', 'even'],
      [null, 'first', 'odd'],
    ]);
    expect(await descriptions()).toEqual({ a1: 'even', b1: 'odd', c1: 'even', d1: 'odd' });
    const recorded = await newlyRecorded();
    expect(recorded.filter((_, index) => index % 2 === 0)).toEqual(recorded.filter((_, index) => index % 2 === 1));
    expect(recorded.toSorted()).toEqual(names.flatMap((name) => [name, name]));
  });

  it('keeps its place among what is asked for by one alone', async () => {
    const { change } = await withEndpoints('a4', 'b4');
    const alone = async (tx: Tx, name: string) =>
      (await tx.db.selectFrom('signal_endpoints').select('description').where('name', '=', name).execute()).map(
        ({ description }) => description,
      );
    const described = compiled<{ name: string }>().change(
      (db, { name }) => db.updateTable('signal_endpoints').set({ description: 'alone' }).where('name', '=', name),
      ({ name }) => [`feature ${name}`],
    );
    const seen = await Promise.all(
      ['a4', 'b4'].map((name) =>
        change(name, async (tx) => {
          tx.unawaited(describeEndpoints(tx, { names: [name], text: 'together' }));
          const afterTogether = await alone(tx, name);
          const beforeAlone = read(tx, name);
          tx.unawaited(described(tx, { name }));
          record(tx, name);
          return [...afterTogether, ...(await beforeAlone), ...(await read(tx, name))];
        }),
      ),
    );
    expect(seen).toEqual([
      ['together', 'together', 'alone'],
      ['together', 'together', 'alone'],
    ]);
  });

  it('is told to listeners in the order of the log, however late one of them recorded', async () => {
    const { database } = given();
    const { change } = await withEndpoints('a2', 'b2', 'c2');
    const told: number[] = [];
    database.feed.subscribe((events) => void told.push(...events.map(({ id }) => id)));
    await Promise.all(
      ['a2', 'b2', 'c2'].map((name, index) =>
        change(name, async (tx) => {
          for (let wait = index; wait < 2; wait++) await read(tx, name);
          tx.unawaited(describeEndpoints(tx, { names: [name], text: 'told' }));
          record(tx, name);
        }),
      ),
    );
    expect(told).toHaveLength(3);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });

  it('fails for what failed before it, which is what is told', async () => {
    const { change } = await withEndpoints('a5', 'b5');
    const outcomes = await Promise.allSettled([
      change('a5', async (tx) => {
        tx.unawaited(read(tx, 'a5'));
        await sql`select 1 from nowhere_at_all`.execute(tx.db);
      }),
      change('b5', async (tx) => {
        await describeEndpoints(tx, { names: ['b5'], text: 'made' });
        record(tx, 'b5');
      }),
    ]);
    expect(outcomes[0]).toMatchObject({ reason: { message: expect.stringContaining('nowhere_at_all') } });
    expect(outcomes[1]?.status).toBe('fulfilled');
  });

  it('is no reason to refuse one that changed nothing', async () => {
    const { change, descriptions } = await withEndpoints('a3', 'b3');
    await Promise.all([
      change('a3', async (tx) => {
        await describeEndpoints(tx, { names: ['a3'], text: 'changed' });
        record(tx, 'a3');
      }),
      change('nowhere', (tx) => describeEndpoints(tx, { names: ['nowhere'], text: 'changed' })),
    ]);
    expect(await descriptions()).toEqual({ a3: 'changed', b3: null });
  });
});
