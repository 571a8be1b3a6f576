import { z } from 'zod';
import { changeSetting, defineSetting, findSetting } from '#features/platform/settings/index.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** The state of the freeze, with the reason that the user gave. */
export interface Freeze {
  readonly frozen: boolean;
  readonly reason: string | null;
}

const setting = defineSetting<Freeze>(
  'automation.freeze',
  z.object({ frozen: z.boolean(), reason: z.string().nullable() }),
);

export async function readFreeze(db: Db): Promise<Freeze> {
  return (await findSetting(db, setting)) ?? { frozen: false, reason: null };
}

/** Returns who froze automation and when, in milliseconds UTC; undefined while it is not frozen. */
export async function frozenBy(db: Db): Promise<{ readonly by: string; readonly at: number } | undefined> {
  const row = await db
    .selectFrom('events')
    .select(['type', 'created_by', 'created_at'])
    .where('type', 'in', ['automation-frozen', 'automation-resumed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.type === 'automation-frozen' ? { by: row.created_by, at: row.created_at } : undefined;
}

/** Freezes or unfreezes automation. Records no event when nothing changes. */
export async function setFreeze(tx: Tx, desired: Freeze): Promise<void> {
  const before = await findSetting(tx.db, setting);
  if (before === undefined && !desired.frozen) return;
  const after = { frozen: desired.frozen, reason: desired.frozen ? desired.reason : null };
  await changeSetting(tx, setting, before, after);
  if (before?.frozen === after.frozen) return;
  // The freeze has events of its own, so that an integration can subscribe to it without the other settings.
  if (after.frozen) tx.record({ type: 'automation-frozen', data: { reason: after.reason } });
  else tx.record({ type: 'automation-resumed' });
}
