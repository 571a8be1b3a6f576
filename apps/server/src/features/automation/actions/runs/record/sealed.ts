import { sealedColumns } from '#storage/sealed-columns.ts';
import { replaceUnreadableSet } from './store.ts';

/** Encrypted copies of action sets in runs, with the URLs that were called. */
export const sealedRuns = sealedColumns({
  label: 'run',
  table: 'action_runs',
  columns: ['action_set'],
  forget: (tx, { id }) => replaceUnreadableSet(tx, id),
});
