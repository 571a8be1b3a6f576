import type { actionRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { Database } from '../../storage/database.ts';
import { runHandlers } from './runs/index.ts';
import { actionSetHandlers, type SetLimits } from './sets/index.ts';

export function actionHandlers(database: Database, limits: SetLimits): Handlers<typeof actionRoutes> {
  return { ...actionSetHandlers(database, limits), ...runHandlers(database) };
}
