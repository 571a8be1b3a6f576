import { badField } from '../../../kernel/errors.ts';
import type { Tx } from '../../../storage/tx.ts';
import { findSignal } from '../../signals/index.ts';
import type { ActionSet } from '../sets/index.ts';
import { Authors } from './authors.ts';
import { whyHalted } from './handle.ts';
import { runSet } from './record.ts';
import type { RunContext } from './run.ts';

/** Runs a set on a signal that is stored, as if it had come now; answers the ids of the runs, none when it does not pass the filters. */
export async function replay(tx: Tx, context: RunContext, set: ActionSet, signalId: number): Promise<number[]> {
  const signal = await findSignal(tx.db, signalId);
  if (signal?.endpointId !== set.endpointId)
    throw badField('signalId', 'must be the id of a stored signal of the endpoint of the set');
  tx.allowNoEvents('action runs');
  const halted = await whyHalted(tx.db);
  const runs = await runSet(tx, context, set, JSON.parse(signal.payload), {
    signal,
    cause: 'replay',
    halted,
    authors: new Authors(),
  });
  return runs.map(({ id }) => id);
}
