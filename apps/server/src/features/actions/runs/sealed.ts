import { sealedColumns } from '../../../storage/sealed-columns.ts';
import { forgetSetOfRun } from './store.ts';

/** Sets as they were when they ran, with what was called. */
export const sealedRuns = sealedColumns({
  what: 'run',
  table: 'action_runs',
  columns: ['action_set'],
  forget: (tx, { id }) => forgetSetOfRun(tx, id),
});
