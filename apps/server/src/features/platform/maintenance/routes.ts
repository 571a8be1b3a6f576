import type { maintenanceRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { type Maintenance, setMaintenance } from './maintenance.ts';

export function maintenanceHandlers({ write }: Database, maintenance: Maintenance): Handlers<typeof maintenanceRoutes> {
  return {
    'GET /api/admin/maintenance': async () => ({ body: { enabled: await maintenance.enabled() } }),
    'POST /api/admin/maintenance': async ({ body, author }) => write(author, (tx) => setMaintenance(tx, body)),
  };
}
