import { sealedColumns } from '#storage/sealed-columns.ts';
import { sealedIn } from '#storage/sealed-text.ts';

/** Encrypted parameters of integrations. An integration without them fails to send until its URL is set again. */
export const sealedIntegrations = sealedColumns({
  label: 'integration',
  table: 'integrations',
  columns: ['parameters'],
  forget: async (tx, { id }) => {
    const parameters = sealedIn(tx.db, '{}');
    await tx.db.updateTable('integrations').set({ parameters }).where('id', '=', id).execute();
  },
});

/** Encrypted signing keys of integrations. An integration without them sends unsigned until its key is rotated. */
export const sealedSigningKeys = sealedColumns({
  label: 'signing key of integration',
  table: 'integrations',
  columns: ['signing_keys'],
  forget: async (tx, { id }) => {
    await tx.db.updateTable('integrations').set({ signing_keys: '' }).where('id', '=', id).execute();
  },
});
