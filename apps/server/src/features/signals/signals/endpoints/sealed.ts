import { sealedColumns } from '#storage/sealed-columns.ts';
import { newHashKey } from './store.ts';

/**
 * Encrypted secrets with which senders sign. A token whose secret is lost verifies no request: a new token is needed.
 */
export const sealedSigningSecrets = sealedColumns({
  label: 'signing secret of signal token',
  table: 'signal_endpoint_tokens',
  columns: ['signing_secret'],
  forget: async (tx, { id }) => {
    await tx.db.updateTable('signal_endpoint_tokens').set({ signing_secret: '' }).where('id', '=', id).execute();
  },
});

/**
 * Encrypted keys for hashed values. A lost key is replaced by a new one, so new hashes differ from the earlier ones.
 */
export const sealedHashKeys = sealedColumns({
  label: 'key for hashed values of signal endpoint',
  table: 'signal_endpoints',
  columns: ['hash_key'],
  name: 'name',
  forget: async (tx, { id }) => {
    await tx.db
      .updateTable('signal_endpoints')
      .set({ hash_key: newHashKey(tx.db) })
      .where('id', '=', id)
      .execute();
  },
});
