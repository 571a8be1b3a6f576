import type { Db, Tx } from '../../../storage/tx.ts';
import { changeSetting, findSetting } from '../../settings/index.ts';

/** The setting's name in the table and in its events. */
const setting = 'automation.freeze';

/** Whether all automation stands still, and why somebody wanted that. */
export interface Freeze {
  readonly frozen: boolean;
  readonly reason: string | null;
}

export async function readFreeze(db: Db): Promise<Freeze> {
  return (await findSetting<Freeze>(db, setting)) ?? { frozen: false, reason: null };
}

/** Freezes automation or lets it go on; what is so already stays so, and nothing is recorded. */
export async function setFreeze(tx: Tx, wanted: Freeze): Promise<void> {
  const before = await findSetting<Freeze>(tx.db, setting);
  if (before === undefined && !wanted.frozen) return;
  await changeSetting(tx, setting, before, { frozen: wanted.frozen, reason: wanted.frozen ? wanted.reason : null });
}
