import { describe, expect, it } from 'vitest';
import { addEndpoint, addRecorded, author, recordedNames, useDatabase } from '../../testing/database.ts';
import { Problem } from '../kernel/errors.ts';
import { compiled } from './compiled.ts';
import type { Database } from './database.ts';
import type { Tx } from './tx.ts';

describe('changes about one thing each', () => {
  const given = useDatabase();

  /** Sets a description; what is about the thing of that name may ask it beside others. */
  const describeEndpoint = compiled<{ name: string; text: string }>().change(
    (db, { name, text }) => db.updateTable('signal_endpoints').set({ description: text }).where('name', '=', name),
    ({ name }) => [`feature ${name}`],
  );
  const describing = async (tx: Tx, name: string, text: string) => {
    await tx.db.selectFrom('signal_endpoints').select('id').where('name', '=', name).execute();
    tx.unawaited(describeEndpoint(tx, { name, text }));
    tx.record({ type: 'signal-endpoint-updated', data: { name } });
  };
  const descriptions = async (database: Database) => {
    const rows = await database.db
      .selectFrom('signal_endpoints')
      .select(['name', 'description'])
      .orderBy('id')
      .execute();
    return Object.fromEntries(rows.map(({ name, description }) => [name, description]));
  };
  async function withEndpoints(...names: readonly string[]) {
    const { database } = given();
    for (const name of names) await database.write(author, addRecorded(name));
    const recorded = await recordedNames(database);
    return { database, newlyRecorded: async () => (await recordedNames(database)).slice(recorded.length) };
  }

  it('are made side by side when they are about different things', async () => {
    const { database } = await withEndpoints('a1', 'b1');
    const begun: Record<string, PromiseWithResolvers<void>> = {
      a1: Promise.withResolvers(),
      b1: Promise.withResolvers(),
    };
    const change = (name: string, other: string) =>
      database.write(
        author,
        async (tx) => {
          begun[name]?.resolve();
          await begun[other]?.promise;
          await describing(tx, name, 'beside');
        },
        `feature ${name}`,
      );
    await Promise.all([change('a1', 'b1'), change('b1', 'a1')]);
    expect(await descriptions(database)).toMatchObject({ a1: 'beside', b1: 'beside' });
  });

  it('wait for each other when they are about the same', async () => {
    const { database, newlyRecorded } = await withEndpoints('a2', 'b2');
    let running = 0;
    let most = 0;
    const change = (name: string, text: string) =>
      database.write(
        author,
        async (tx) => {
          if (name === 'a2') most = Math.max(most, ++running);
          await describing(tx, name, text);
          if (name === 'a2') running--;
        },
        `feature ${name}`,
      );
    await Promise.all([change('a2', '1'), change('b2', '1'), change('a2', '2'), change('a2', '3')]);
    expect(most).toBe(1);
    expect(await descriptions(database)).toMatchObject({ a2: '3', b2: '1' });
    expect((await newlyRecorded()).toSorted()).toEqual(['a2', 'a2', 'a2', 'b2']);
  });

  it('are each undone alone, before and after they have written', async () => {
    const names = ['a3', 'b3', 'c3', 'd3'];
    const { database, newlyRecorded } = await withEndpoints(...names);
    for (const when of ['before', 'after'] as const) {
      const outcomes = await Promise.allSettled(
        names.map((name) =>
          database.write(
            author,
            async (tx) => {
              const refused = () => {
                if (name === 'b3') throw new Problem('BadDataError', `${name} ${when}`);
              };
              if (when === 'before') refused();
              await describing(tx, name, when);
              refused();
            },
            `feature ${name}`,
          ),
        ),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(outcomes[1]).toMatchObject({ reason: { message: `b3 ${when}` } });
      expect(await descriptions(database)).toMatchObject({ a3: when, b3: null, c3: when, d3: when });
    }
    expect((await newlyRecorded()).toSorted()).toEqual(['a3', 'a3', 'c3', 'c3', 'd3', 'd3']);
  });

  it('are made one at a time when one writes more than its own, or has a part of its own', async () => {
    const { database, newlyRecorded } = await withEndpoints('a4', 'b4', 'c4');
    const runs = { a4: 0, b4: 0, c4: 0 };
    const change = (name: keyof typeof runs, more: (tx: Tx) => Promise<unknown>) =>
      database.write(
        author,
        async (tx) => {
          runs[name]++;
          await describing(tx, name, 'made');
          await more(tx);
        },
        `feature ${name}`,
      );
    const nothing = async () => undefined;
    await Promise.all([
      change('a4', nothing),
      change('b4', (tx) => describeEndpoint(tx, { name: 'c4', text: 'theirs' })),
    ]);
    expect(runs).toEqual({ a4: 2, b4: 2, c4: 0 });
    expect(await descriptions(database)).toMatchObject({ a4: 'made', b4: 'made', c4: 'theirs' });
    const inner = (tx: Tx) => tx.within(author, (part) => describing(part, 'c4', 'within'));
    await Promise.all([change('a4', nothing), change('b4', (tx) => addEndpoint(tx, 'e4')), change('c4', inner)]);
    expect(runs).toEqual({ a4: 4, b4: 4, c4: 2 });
    expect(await descriptions(database)).toMatchObject({ c4: 'within', e4: null });
    const hiding = (tx: Tx) => addEndpoint(tx, 'f4').catch(() => undefined);
    await Promise.all([change('a4', nothing), change('b4', hiding)]);
    expect(await descriptions(database)).toMatchObject({ f4: null });
    expect(await newlyRecorded()).toEqual(['a4', 'b4', 'a4', 'b4', 'c4', 'c4', 'a4', 'b4']);
  });
});
