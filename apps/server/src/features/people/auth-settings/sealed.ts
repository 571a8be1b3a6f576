import { findSetting } from '#features/platform/settings/index.ts';
import type { SealedRows } from '#storage/sealed-rows.ts';
import type { Tx } from '#storage/tx.ts';
import { oidcSetting } from './oidc.ts';

/** The encrypted client secret of single sign-on. When it is deleted, single sign-on fails until it is set again. */
export const sealedOidc: SealedRows = {
  label: 'client secret of single sign-on',
  stale: async function* (db, mark) {
    const secret = (await findSetting(db, oidcSetting))?.secret ?? null;
    if (secret !== null && !secret.startsWith(mark)) yield [{ id: 0, name: '', texts: [secret] }];
  },
  replace: (tx, { texts: [before] }, [secret = null]) => setSecret(tx, before, secret),
  forget: (tx, { texts: [before] }) => setSecret(tx, before, null),
};

async function setSecret(tx: Tx, before: string | undefined, secret: string | null): Promise<void> {
  const settings = await findSetting(tx.db, oidcSetting);
  if (settings === undefined || settings.secret !== before) return;
  const content = oidcSetting.content.write({ ...settings, secret });
  await tx.db.updateTable('settings').set({ content }).where('name', '=', oidcSetting.name).execute();
}
