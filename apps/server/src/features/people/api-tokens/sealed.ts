import { sealedColumns } from '#storage/sealed-columns.ts';

/** The encrypted secrets of API tokens, which lists show. A token whose secret was deleted stays valid. */
export const sealedTokens = sealedColumns({
  label: 'API token',
  table: 'api_tokens',
  columns: ['sealed_secret'],
  forget: async (tx, { id }) => {
    await tx.db.updateTable('api_tokens').set({ sealed_secret: null }).where('id', '=', id).execute();
  },
});
