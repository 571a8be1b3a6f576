import { sealedColumns } from '../../storage/sealed-columns.ts';

/** Secrets of API tokens that lists tell. A token that lost it opens what it opened. */
export const sealedTokens = sealedColumns({
  what: 'API token',
  table: 'api_tokens',
  columns: ['sealed_secret'],
  forget: async (tx, { id }) => {
    await tx.db.updateTable('api_tokens').set({ sealed_secret: null }).where('id', '=', id).execute();
  },
});
