import { z } from 'zod';
import { changeSetting, defineSetting, findSetting } from '#features/platform/settings/index.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** A legal hold: while it is in force, retention deletes no evidence (docs/spec#legal-hold). */
export interface LegalHold {
  readonly enabled: boolean;
  /** The reason of the last change, its time and its author; null when there was none. */
  readonly reason: string | null;
  readonly changedAt: string | null;
  readonly changedBy: string | null;
}

const setting = defineSetting<LegalHold>(
  'legal-hold',
  z.object({
    enabled: z.boolean(),
    reason: z.string().nullable(),
    changedAt: z.string().nullable(),
    changedBy: z.string().nullable(),
  }),
);

const none: LegalHold = { enabled: false, reason: null, changedAt: null, changedBy: null };

export async function findLegalHold(db: Db): Promise<LegalHold> {
  return (await findSetting(db, setting)) ?? none;
}

/** Returns whether a legal hold is in force. */
export async function isOnLegalHold(db: Db): Promise<boolean> {
  return (await findLegalHold(db)).enabled;
}

/** Begins or ends the legal hold. Records an event only when the state changes. */
export async function setLegalHold(tx: Tx, { enabled, reason }: Pick<LegalHold, 'enabled' | 'reason'>): Promise<void> {
  const before = await findSetting(tx.db, setting);
  if ((before ?? none).enabled === enabled) return;
  const after = { enabled, reason, changedAt: isoTime(tx.now), changedBy: tx.by.actor.name };
  await changeSetting(tx, setting, before, after);
}
