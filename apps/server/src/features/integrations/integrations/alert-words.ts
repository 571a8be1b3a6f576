import { wordsOf } from '#features/automation/firing-alerts/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';
import type { CausingAlert } from './sinks/index.ts';

/** Returns the alerts that caused a few events, by the id of the event; none for events without a signal. */
export async function causingAlerts(
  db: Db,
  events: readonly Pick<EventRow, 'id' | 'signal_id' | 'run_id'>[],
): Promise<ReadonlyMap<number, CausingAlert>> {
  const caused = events.flatMap(({ id, signal_id, run_id }) => (signal_id === null ? [] : [{ id, signal_id, run_id }]));
  const runIds = caused.flatMap(({ run_id }) => run_id ?? []);
  const runs =
    runIds.length === 0
      ? []
      : await db.selectFrom('action_runs').select(['id', 'element']).where('id', 'in', runIds).execute();
  const elements = new Map(runs.map(({ id, element }) => [id, element]));
  const words = await wordsOf(
    db,
    caused.map(({ signal_id, run_id }) => ({ signalId: signal_id, element: elements.get(run_id ?? 0) ?? null })),
  );
  return new Map(caused.flatMap(({ id }, index) => (words[index] === undefined ? [] : [[id, words[index]]])));
}
