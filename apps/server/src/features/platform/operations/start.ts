import { z } from 'zod';
import { systemActor } from '#kernel/actor.ts';
import { secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import { jsonColumn } from '#storage/json-column.ts';

/** A setting in force, by the name of its environment variable. */
export interface SettingInForce {
  readonly name: string;
  readonly value: string;
}

/** The row of the table `settings` with the version and the settings of the last start. */
const name = 'server.start';
const content = jsonColumn(
  'settings.content',
  z.object({ version: z.string(), digests: z.record(z.string(), z.string()) }),
);

/**
 * Records that a server has started: its version, that of the start before, and the names of the settings that have
 * changed since. `settings` must hold no secrets: their digests are stored.
 */
export async function recordStart(
  { write }: Pick<Database, 'write'>,
  version: string,
  settings: readonly SettingInForce[],
): Promise<void> {
  const digests = Object.fromEntries(settings.map((setting) => [setting.name, secretHash(setting.value)]));
  await write({ actor: systemActor, cause: {} }, async (tx) => {
    const row = await tx.db.selectFrom('settings').select('content').where('name', '=', name).executeTakeFirst();
    const before = row && content.parse(row.content, name);
    const text = content.write({ version, digests });
    await tx.db
      .insertInto('settings')
      .values({ name, content: text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ content: text }))
      .execute();
    const changedSettings =
      before === undefined ? [] : Object.keys(digests).filter((key) => digests[key] !== before.digests[key]);
    tx.record({ type: 'server-started', data: { version, previousVersion: before?.version ?? null, changedSettings } });
  });
}
