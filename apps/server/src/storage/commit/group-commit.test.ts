import { describe, expect, it } from 'vitest';
import { addEndpoint, addRecorded, author, endpointNames, recordedNames, useDatabase } from '#testing/database.ts';
import type { Change } from '../tx.ts';

describe('changes that share a commit', () => {
  const given = useDatabase();

  /** Makes changes in one group. Returns each outcome, and the rows and events that the group has stored. */
  async function made(...changes: readonly Change<unknown>[]) {
    const { database } = given();
    const before = [await endpointNames(database), await recordedNames(database)];
    const settled = await Promise.allSettled(changes.map((change) => database.write(author, change)));
    const stored = async () => ({
      rows: (await endpointNames(database)).slice(before[0]?.length),
      events: (await recordedNames(database)).slice(before[1]?.length),
    });
    const at = await stored();
    // The next change commits alone: no transaction was left open.
    await database.write(author, addRecorded(`after ${at.rows.join(', ')}`));
    expect((await stored()).rows.slice(0, -1)).toEqual(at.rows);
    const outcomes = settled.map((result) => (result.status === 'fulfilled' ? 'made' : String(result.reason.message)));
    return { outcomes, ...at };
  }
  const unique = expect.stringMatching(/unique/i);

  it('run once, also when the event of a change cannot be serialized', async () => {
    let runs = 0;
    const first: Change<unknown> = (tx) => addRecorded(`first 1 ${++runs}`)(tx);
    const notSerializable: Change<void> = async (tx) => {
      await addEndpoint(tx, 'not serializable');
      tx.record({ type: 'signal-endpoint-created', data: { name: 1n } });
    };
    expect(await made(first, notSerializable, addRecorded('last 1'))).toEqual({
      outcomes: ['made', expect.stringMatching(/BigInt/), 'made'],
      rows: ['first 1 1', 'last 1'],
      events: ['first 1 1', 'last 1'],
    });
    expect(runs).toBe(1);
  });

  it('reject with the error of a failed statement, even when the change catches it', async () => {
    await made(addRecorded('taken 2'));
    const hides: Change<void> = async (tx) => {
      await addRecorded('hides 2')(tx);
      await addEndpoint(tx, 'taken 2').catch(() => undefined);
    };
    expect(await made(addRecorded('first 2'), hides, addRecorded('last 2'))).toEqual({
      outcomes: ['made', unique, 'made'],
      rows: ['first 2', 'last 2'],
      events: ['first 2', 'last 2'],
    });
  });

  it('reject with the error of a statement that they did not wait for', async () => {
    await made(addRecorded('taken 7'));
    const goesOn: Change<void> = async (tx) => {
      tx.goOn(() => addEndpoint(tx, 'taken 7'));
      tx.record({ type: 'signal-endpoint-created', data: { name: 'goes on 7' } });
    };
    const inPart: Change<unknown> = async (tx) => {
      await addRecorded('around 7')(tx);
      return tx.nested(author, goesOn);
    };
    expect(await made(addRecorded('first 7'), goesOn, inPart, addRecorded('last 7'))).toEqual({
      outcomes: ['made', unique, unique, 'made'],
      rows: ['first 7', 'last 7'],
      events: ['first 7', 'last 7'],
    });
  });

  it('reject with their own error when they did not wait for a statement that fails', async () => {
    await made(addRecorded('taken 8'));
    const throws: Change<void> = async (tx) => {
      tx.goOn(() => addEndpoint(tx, 'taken 8'));
      throw new Error('changed its mind');
    };
    expect(await made(throws, addRecorded('last 8'))).toEqual({
      outcomes: ['changed its mind', 'made'],
      rows: ['last 8'],
      events: ['last 8'],
    });
  });

  it('are rolled back with a statement that they were about to send when they threw', async () => {
    const throws: Change<void> = async (tx) => {
      await addRecorded('throws 11')(tx);
      const about = tx.db.deleteFrom('signal_endpoints').execute();
      await Promise.all([about, Promise.reject(new Error('thrown first'))]);
    };
    expect(await made(addRecorded('first 11'), throws, addRecorded('last 11'))).toEqual({
      outcomes: ['made', 'thrown first', 'made'],
      rows: ['first 11', 'last 11'],
      events: ['first 11', 'last 11'],
    });
  });

  it('are rejected when they go on without a statement that is not sent at once, and so might come too late', async () => {
    const late: Change<void> = async (tx) => tx.goOn(() => tx.db.deleteFrom('signal_endpoints').execute());
    expect(await made(late, addRecorded('last 10'))).toEqual({
      outcomes: [expect.stringMatching(/prepared statement/), 'made'],
      rows: ['last 10'],
      events: ['last 10'],
    });
  });

  it('are rejected when they record no event and did not wait for the row that they changed', async () => {
    const silent: Change<void> = async (tx) => tx.goOn(() => addEndpoint(tx, 'silent 9'));
    expect(await made(silent, addRecorded('last 9'))).toEqual({
      outcomes: ['a change that records no event cannot commit', 'made'],
      rows: ['last 9'],
      events: ['last 9'],
    });
  });

  it('reject with the first failure when later statements fail because of it', async () => {
    await made(addRecorded('taken 3'));
    const failsTwice: Change<void> = async (tx) => {
      await addEndpoint(tx, 'taken 3').catch(() => undefined);
      await addEndpoint(tx, 'second 3');
    };
    expect(await made(addRecorded('first 3'), failsTwice, addRecorded('last 3'))).toEqual({
      outcomes: ['made', unique, 'made'],
      rows: ['first 3', 'last 3'],
      events: ['first 3', 'last 3'],
    });
  });

  it('are rolled back alone when statements are in flight as the change throws', async () => {
    const throws: Change<void> = async (tx) => {
      const insert = addEndpoint(tx, 'in flight 4');
      insert.catch(() => undefined);
      throw new Error('its own');
    };
    expect(await made(addRecorded('first 4'), throws, addRecorded('last 4'))).toEqual({
      outcomes: ['made', 'its own', 'made'],
      rows: ['first 4', 'last 4'],
      events: ['first 4', 'last 4'],
    });
  });
});

describe('a nested change', () => {
  const given = useDatabase();

  it('is rolled back alone when a statement fails, and the change goes on', async () => {
    const { database } = given();
    await database.write(author, addRecorded('taken'));
    await database.write(author, async (tx) => {
      await addRecorded('outer')(tx);
      const failed = tx.nested(author, async (nested) => {
        await addRecorded('nested')(nested);
        await addEndpoint(nested, 'taken');
      });
      await expect(failed).rejects.toThrow(/unique/i);
      await tx.nested(author, addRecorded('second nested'));
    });
    expect(await endpointNames(database)).toEqual(['taken', 'outer', 'second nested']);
    expect(await recordedNames(database)).toEqual(['taken', 'outer', 'second nested']);
  });

  it('fails in a change in which a statement has failed, and the change rejects with that failure', async () => {
    const { database } = given();
    const before = await endpointNames(database);
    const change = database.write(author, async (tx) => {
      await addEndpoint(tx, 'taken').catch(() => undefined);
      await tx.nested(author, addRecorded('nested after a failure')).catch(() => undefined);
    });
    const others = [database.write(author, addRecorded('beside 1')), database.write(author, addRecorded('beside 2'))];
    await expect(change).rejects.toThrow(/unique/i);
    await Promise.all(others);
    expect(await endpointNames(database)).toEqual([...before, 'beside 1', 'beside 2']);
  });

  it('is rejected when it changes rows and records no event', async () => {
    const { database } = given();
    const change = database.write(author, async (tx) => {
      await addRecorded('recorded outside')(tx);
      await tx.nested(author, (nested) => addEndpoint(nested, 'silent'));
    });
    await expect(change).rejects.toThrow('a change that records no event cannot commit');
  });
});
