import { describe, expect, it } from 'vitest';
import { addEndpoint, addRecorded, author, endpointNames, recordedNames, useDatabase } from '../../testing/database.ts';
import type { Change } from './write.ts';

describe('changes that are committed together', () => {
  const given = useDatabase();

  /** Makes changes in one group; answers what each was told, and what is stored after it of rows and of events. */
  async function made(...changes: readonly Change<unknown>[]) {
    const { database } = given();
    const before = [await endpointNames(database), await recordedNames(database)];
    const outcomes = await Promise.allSettled(changes.map((change) => database.write(author, change)));
    const stored = async () => ({
      rows: (await endpointNames(database)).slice(before[0]?.length),
      events: (await recordedNames(database)).slice(before[1]?.length),
    });
    const at = await stored();
    // Nothing is left open, and nothing is stored later.
    await database.write(author, addRecorded(`after ${at.rows.join(', ')}`));
    expect((await stored()).rows.slice(0, -1)).toEqual(at.rows);
    const told = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'made' : String(outcome.reason.message)));
    return { told, ...at };
  }
  const unique = expect.stringMatching(/unique/i);
  const ownError: Change<void> = async () => {
    throw new Error('of its own');
  };

  it('are given up before they are made again, also when one throws that has asked nothing behind one that fails late', async () => {
    await made(addRecorded('taken 1'));
    const failsLate: Change<void> = async (tx) => {
      await tx.db.selectFrom('events').select('id').execute();
      tx.unawaited(addEndpoint(tx, 'taken 1'));
      tx.record({ type: 'signal-endpoint-created', data: { name: 'late' } });
    };
    expect(await made(addRecorded('first 1'), failsLate, ownError, addRecorded('last 1'))).toEqual({
      told: ['made', unique, 'of its own', 'made'],
      rows: ['first 1', 'last 1'],
      events: ['first 1', 'last 1'],
    });
  });

  it('are not made twice because of one whose event cannot be written', async () => {
    let runs = 0;
    const first: Change<unknown> = (tx) => addRecorded(`first 2 ${++runs}`)(tx);
    const unwritable: Change<void> = async (tx) => {
      await addEndpoint(tx, 'unwritable');
      tx.record({ type: 'signal-endpoint-created', data: { name: 1n } });
    };
    expect(await made(first, unwritable, addRecorded('last 2'))).toEqual({
      told: ['made', expect.stringMatching(/BigInt/), 'made'],
      rows: [`first 2 ${runs}`, 'last 2'],
      events: [`first 2 ${runs}`, 'last 2'],
    });
  });

  it('are made although one asks for something when it has ended', async () => {
    const asksLate: Change<void> = async (tx) => {
      tx.record({ type: 'signal-endpoint-created', data: { name: 'late 3' } });
      tx.unawaited(
        Promise.resolve()
          .then(() => new Promise(setImmediate))
          .then(() => addEndpoint(tx, 'late 3')),
      );
    };
    const { told, rows } = await made(addRecorded('first 3'), asksLate, addRecorded('last 3'));
    expect(told).toEqual(['made', expect.stringMatching(/must have asked/), 'made']);
    expect(rows).toEqual(['first 3', 'last 3']);
  });

  it('fail with what failed inside them, though they hide it', async () => {
    await made(addRecorded('taken 4'));
    const hides: Change<void> = async (tx) => {
      await addRecorded('hides 4')(tx);
      await addEndpoint(tx, 'taken 4').catch(() => undefined);
    };
    expect(await made(addRecorded('first 4'), hides, addRecorded('last 4'))).toEqual({
      told: ['made', unique, 'made'],
      rows: ['first 4', 'last 4'],
      events: ['first 4', 'last 4'],
    });
  });

  it('may hide what failed in a part of them, which is undone', async () => {
    await made(addRecorded('taken 5'));
    const hides: Change<void> = async (tx) => {
      await addRecorded('hides 5')(tx);
      await tx.within(author, (part) => addEndpoint(part, 'taken 5')).catch(() => undefined);
    };
    expect(await made(hides, addRecorded('last 5'))).toMatchObject({
      told: ['made', 'made'],
      rows: ['hides 5', 'last 5'],
    });
  });

  it('fail alone where something failed in them before a part of them', async () => {
    await made(addRecorded('taken 6'));
    const failsBeforePart: Change<void> = async (tx) => {
      tx.unawaited(addEndpoint(tx, 'taken 6'));
      await tx.within(author, async () => undefined);
      throw new Error('of its own');
    };
    expect(await made(addRecorded('first 6'), failsBeforePart, addRecorded('last 6'))).toEqual({
      told: ['made', unique, 'made'],
      rows: ['first 6', 'last 6'],
      events: ['first 6', 'last 6'],
    });
  });
});
