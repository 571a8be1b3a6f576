import { sealedColumns } from '../../storage/sealed-columns.ts';
import { sealedIn } from '../../storage/sealed-text.ts';

/** Parameters of integrations. An integration that lost them fails to send until its URL is set again. */
export const sealedIntegrations = sealedColumns({
  what: 'integration',
  table: 'integrations',
  columns: ['parameters'],
  forget: async (tx, { id }) => {
    const parameters = sealedIn(tx.db, '{}');
    await tx.db.updateTable('integrations').set({ parameters }).where('id', '=', id).execute();
  },
});
