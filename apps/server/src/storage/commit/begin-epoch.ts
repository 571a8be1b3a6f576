import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { isoTime } from '#kernel/clock.ts';
import type { BeginEpoch, StepBack } from '../change-feed.ts';
import type { Engine } from '../engine.ts';
import { newestPosition, nextEpoch } from '../log-position.ts';
import type { Tx } from '../tx.ts';
import { runChange } from './write.ts';

const author: Author = { actor: systemActor, cause: {} };

/** Returns the function with which the change feed begins a new epoch of the log. */
export function epochBeginner(engine: Engine, clock: Clock): BeginEpoch {
  return async (step) => {
    const now = clock.now();
    await engine.transact('changes', (transaction) => runChange(transaction, author, now, (tx) => begin(tx, step), []));
    engine.announce('events');
  };
}

/** Begins a new epoch and records `log-went-back`, unless another process has begun one since the look. */
async function begin(tx: Tx, { known, epoch }: StepBack): Promise<void> {
  const newest = await newestPosition(tx.db);
  if (newest.epoch !== epoch) return;
  await storeEpoch(tx, nextEpoch(tx.now, [known.epoch, epoch]));
  tx.record({
    type: 'log-went-back',
    data: {
      known: known.id,
      knownAt: known.at === null ? null : isoTime(known.at),
      newest: newest.id,
      newestAt: newest.at === null ? null : isoTime(newest.at),
    },
  });
}

/** Begins a new epoch of the log: positions of before no longer count. */
export async function renewEpoch(tx: Tx): Promise<void> {
  const { epoch } = await newestPosition(tx.db);
  await storeEpoch(tx, nextEpoch(tx.now, [epoch]));
}

async function storeEpoch(tx: Tx, epoch: string): Promise<void> {
  await tx.db.updateTable('counters').set({ epoch }).where('name', '=', 'event').execute();
}
