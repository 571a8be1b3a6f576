import type { Db, Tx } from '../../../storage/tx.ts';
import { changeSetting, findSetting } from '../../settings/index.ts';

/** The name of the setting in the table and in its events. */
const setting = 'automation.freeze';

/** The state of the freeze, with the reason that the user gave. */
export interface Freeze {
  readonly frozen: boolean;
  readonly reason: string | null;
}

export async function readFreeze(db: Db): Promise<Freeze> {
  return (await findSetting<Freeze>(db, setting)) ?? { frozen: false, reason: null };
}

/** Freezes or unfreezes automation. Records no event when nothing changes. */
export async function setFreeze(tx: Tx, desired: Freeze): Promise<void> {
  const before = await findSetting<Freeze>(tx.db, setting);
  if (before === undefined && !desired.frozen) return;
  await changeSetting(tx, setting, before, { frozen: desired.frozen, reason: desired.frozen ? desired.reason : null });
}
