import { runStates } from '@yardarm/contract';
import { Counter } from 'prom-client';
import type { Outcome } from '#features/automation/actions/index.ts';
import { readFreeze } from '#features/flags/freeze/index.ts';
import { countHolds } from '#features/flags/holds/index.ts';
import type { ServiceDependencies } from './dependencies.ts';

/**
 * Registers the metrics of automation and returns the function that counts runs. The metrics of holds and of the freeze
 * are read from the database, and have no values while the database cannot be reached.
 */
export function watchAutomation({ clock, database: { db }, metrics }: ServiceDependencies) {
  const countRun = metrics.countEach(
    'action_runs_total',
    'Runs of actions on signals, by state, without those in shadow mode',
    'state',
    runStates,
  );
  const stopped = new Counter({
    name: 'action_runs_stopped_total',
    help: 'Runs of actions that a guard or an override stopped',
    registers: [metrics.registry],
  });
  metrics.watchEach('holds_open', 'Holds of flags, by effect', 'effect', async () =>
    (await holdCounts()).map(({ effect, count }) => [effect, count] as const),
  );
  metrics.watchEach('hold_oldest_age_seconds', 'Age of the oldest hold, by effect', 'effect', async () =>
    (await holdCounts()).map(({ effect, oldestAt }) => [effect, Math.max(0, clock.now() - oldestAt) / 1000] as const),
  );
  metrics.watchEach('automation_frozen', '1 while automation is frozen', 'scope', async () => {
    const freeze = await readFreeze(db).catch(() => undefined);
    return freeze === undefined ? [] : [['all', Number(freeze.frozen)] as const];
  });
  return ({ state, guarded }: Outcome) => {
    countRun(state);
    if (guarded === true) stopped.inc();
  };

  function holdCounts() {
    return countHolds(db).catch(() => []);
  }
}
