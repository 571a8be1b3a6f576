import { sealedColumns } from '#storage/sealed-columns.ts';
import { sealedIn } from '#storage/sealed-text.ts';

/** Encrypted parameters of actions that call other systems. An action without them fails until they are set again. */
export const sealedActions = sealedColumns({
  label: 'action set',
  table: 'actions',
  columns: ['params'],
  name: 'action_set_id',
  forget: async (tx, { id }) => {
    await tx.db
      .updateTable('actions')
      .set({ params: sealedIn(tx.db, '{}') })
      .where('id', '=', id)
      .execute();
  },
});
