import { findSetting } from '#features/platform/settings/index.ts';
import { sealedColumns } from '#storage/sealed-columns.ts';
import type { SealedRows } from '#storage/sealed-rows.ts';
import { signingKeysSetting } from './signing-keys.ts';
import { failCall } from './store.ts';

/** Encrypted requests of calls that wait to be sent, or that failed. */
export const sealedCalls = sealedColumns({
  label: 'queued call',
  table: 'action_calls',
  columns: ['url', 'headers', 'body'],
  forget: (tx, { id }) => failCall(tx, id, 'The call was encrypted with another UNLEASH_SECRET and was not sent.'),
});

/** The encrypted keys that sign calls. When they are deleted, the next start creates a new key. */
export const sealedCallKeys: SealedRows = {
  label: 'signing key of action calls',
  stale: async function* (db, mark) {
    const keys = (await findSetting(db, signingKeysSetting))?.keys;
    if (keys !== undefined && !keys.startsWith(mark)) yield [{ id: 0, name: '', texts: [keys] }];
  },
  replace: async (tx, { texts: [before] }, [keys = '']) => {
    if ((await findSetting(tx.db, signingKeysSetting))?.keys !== before) return;
    const content = signingKeysSetting.content.write({ keys });
    await tx.db.updateTable('settings').set({ content }).where('name', '=', signingKeysSetting.name).execute();
  },
  forget: async (tx) => {
    await tx.db.deleteFrom('settings').where('name', '=', signingKeysSetting.name).execute();
  },
};
