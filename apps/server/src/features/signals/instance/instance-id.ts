import { z } from 'zod';
import { defineSetting, findSetting } from '#features/platform/settings/index.ts';
import type { Db } from '#storage/tx.ts';

const idSetting = defineSetting('instance.id', z.string());

/** Returns the unique id of this instance, which was created with its database. */
export async function instanceId(db: Db): Promise<string> {
  const id = await findSetting(db, idSetting);
  if (id === undefined) throw new Error(`The setting ${idSetting.name} is missing. Restore it from a backup.`);
  return id;
}
