import type { corsRoutes } from '@yardarm/contract';
import { z } from 'zod';
import { touches } from '#features/platform/event-effects/index.ts';
import { changeSetting, defineSetting, findSetting } from '#features/platform/settings/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';

interface Cors {
  readonly frontendApiOrigins: readonly string[];
}

const setting = defineSetting<Cors>('frontend.cors', z.object({ frontendApiOrigins: z.array(z.string()) }));

/**
 * Loads the origins whose pages may use the frontend API, keeps them up to date from the change feed, and returns a
 * getter for them. `['*']` allows all. `fallback` applies while the setting is not stored.
 */
export async function watchCorsOrigins(
  { db, feed }: Pick<Database, 'db' | 'feed'>,
  fallback: readonly string[],
): Promise<() => readonly string[]> {
  const read = async () => (await findSetting(db, setting))?.frontendApiOrigins ?? fallback;
  let origins = fallback;
  const load = async () => {
    origins = await read();
  };
  feed.subscribe({
    events: async (events) => {
      if (events.some((event) => touches(event, 'settings'))) await load();
    },
    reset: load,
  });
  await load();
  return () => origins;
}

export function corsHandlers({ write }: Database): Handlers<typeof corsRoutes> {
  return {
    'POST /api/admin/ui-config/cors': async ({ body, author }) => {
      // Browsers send origins in lower case.
      const named = [...new Set(body.frontendApiOrigins.map((origin) => origin.toLowerCase()))];
      const frontendApiOrigins = named.length === 0 ? ['*'] : named;
      await write(author, async (tx) => {
        await changeSetting(tx, setting, await findSetting(tx.db, setting), { frontendApiOrigins });
      });
    },
  };
}
