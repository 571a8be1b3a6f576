import { stopOfAll } from '#features/flags/automation-stops/index.ts';
import { findSignal, signalValue } from '#features/signals/signals/index.ts';
import { badField } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { mostElements } from '../../matching/index.ts';
import type { ActionSet } from '../../sets/index.ts';
import { RunFacts } from '../deciding/run-facts.ts';
import { viewsOfPayload } from '../views/matching-views.ts';
import { canTrigger } from '../views/triggers.ts';
import type { RunContext } from './run-actions.ts';
import { runSet } from './run-set.ts';

/** Runs a set on a stored signal again. Returns the ids of the runs; none when the signal does not pass the filters. */
export async function replay(tx: Tx, context: RunContext, set: ActionSet, signalId: number): Promise<number[]> {
  const signal = await findSignal(tx.db, signalId);
  if (signal?.endpointId !== set.endpointId)
    throw badField('signalId', 'must be the id of a stored signal of the endpoint of this action set');
  if (!canTrigger(signal, set))
    throw badField(
      'signalId',
      `must be a signal that can trigger this action set, which reacts to each ${set.trigger}`,
    );
  tx.allowNoEvents('action runs');
  const stop = await stopOfAll(tx.db);
  const payload = signalValue(signal);
  const { runs } = await runSet(tx, context, set, payload, {
    signal,
    cause: 'replay',
    stop,
    facts: new RunFacts(),
    viewsOf: viewsOfPayload(payload, mostElements),
  });
  return runs.map(({ id }) => id);
}
