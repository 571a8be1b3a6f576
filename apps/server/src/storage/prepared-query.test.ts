import { beforeAll, describe, expect, it } from 'vitest';
import { addEndpoint, author, endpointNames, useDatabase } from '#testing/database.ts';
import { keepStatements, prepared } from './prepared-query.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `endpoint-${index}`);

describe('a prepared statement', () => {
  const open = useDatabase();
  // Mutation tests keep none, before each file.
  beforeAll(() => keepStatements(true));
  let built = 0;
  const byName = prepared<{ readonly names: readonly string[]; readonly enabled: number }>().query((db, given) => {
    built++;
    return db
      .selectFrom('signal_endpoints')
      .select('name')
      .where('name', 'in', given.names)
      .where('enabled', '=', given.enabled)
      .orderBy('id');
  });
  const describeAs = prepared<{ readonly name: string; readonly description: string | null }>().change(
    (db, { name, description }) =>
      db.updateTable('signal_endpoints').set({ description }).where('name', '=', name).where('name', '=', name),
  );

  it('runs with the given parameters, and is built once for each length of its list', async () => {
    const { database } = open();
    await database.writeQuietly('jobs', author, async (tx) => {
      for (const name of names(40)) await addEndpoint(tx, name);
    });
    const ask = async (given: readonly string[], enabled = 1) =>
      (await byName(database.db, { names: given, enabled })).map(({ name }) => name);
    expect(await ask(['endpoint-3'])).toEqual(['endpoint-3']);
    expect(await ask(['endpoint-4'])).toEqual(['endpoint-4']);
    expect(await ask(['endpoint-4'], 0)).toEqual([]);
    expect(built).toBe(1);
    expect(await ask(['endpoint-9', 'nowhere', 'endpoint-2'])).toEqual(['endpoint-2', 'endpoint-9']);
    expect(built).toBe(2);
    expect(await ask(names(40))).toEqual(names(40));
    expect(await ask(['endpoint-5'])).toEqual(['endpoint-5']);
    expect(built).toBe(3);
    // Statements for long lists are not kept: their number would be unbounded.
    expect(await ask(names(40))).toEqual(names(40));
    expect(built).toBe(4);
  });

  it('changes rows inside the transaction of the change', async () => {
    const { database } = open();
    const descriptions = async () =>
      (await database.db.selectFrom('signal_endpoints').select('description').orderBy('id').limit(2).execute()).map(
        ({ description }) => description,
      );
    await database.writeQuietly('jobs', author, (tx) => describeAs(tx, { name: 'endpoint-0', description: 'first' }));
    await database.writeQuietly('jobs', author, (tx) => describeAs(tx, { name: 'endpoint-1', description: 'second' }));
    expect(await descriptions()).toEqual(['first', 'second']);
    await expect(
      database.writeQuietly('jobs', author, async (tx) => {
        await describeAs(tx, { name: 'endpoint-0', description: null });
        expect((await tx.db.selectFrom('signal_endpoints').select('description').execute())[0]?.description).toBe(null);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await descriptions()).toEqual(['first', 'second']);
    expect(await endpointNames(database)).toHaveLength(40);
  });

  it('rejects when the change records no event', async () => {
    const { database } = open();
    await expect(
      database.write(author, (tx) => describeAs(tx, { name: 'endpoint-0', description: 'silent' })),
    ).rejects.toThrow('records no event');
  });
});
