import { sealedColumns } from '../../storage/sealed-columns.ts';

/** Encrypted secrets with which senders sign. A token without its secret verifies nothing: create it again. */
export const sealedSigningSecrets = sealedColumns({
  what: 'signing secret of signal token',
  table: 'signal_endpoint_tokens',
  columns: ['signing_secret'],
  forget: async (tx, { id }) => {
    await tx.db.updateTable('signal_endpoint_tokens').set({ signing_secret: '' }).where('id', '=', id).execute();
  },
});
