import type { eventExportRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';

export function eventExportHandlers({ write }: Database): Handlers<typeof eventExportRoutes> {
  return {
    'POST /api/admin/event-exports': async ({ body, author }) =>
      write(author, async (tx) => tx.record({ type: 'events-exported', data: body })),
  };
}
