import type { importExportRoutes } from '@yardarm/contract';
import { changesAsText, couldBreakGlass, type StateLimits } from '#features/as-code/state/index.ts';
import type { Handlers } from '#http/handler.ts';
import { requireVisible } from '#http/permission.ts';
import type { Clock } from '#kernel/clock.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import { exportFlags } from './export.ts';
import { conflictsWithReleasePlans, importFlags, planImport } from './import.ts';

async function* yieldPieces(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

/** Returns the handlers of export and import in the format of Unleash. */
export function transferHandlers(
  { db, write }: Database,
  clock: Clock,
  limits: StateLimits,
): Handlers<typeof importExportRoutes> {
  return {
    'POST /api/admin/features-batch/export': async ({ body, author, caller }) => {
      if ('project' in body) requireVisible(caller, body.project);
      const pieces = await write(author, (tx) => exportFlags(tx, body, caller));
      const name = `flags-${body.environment}.json`.replace(/[^\w.-]/g, '_');
      const headers = body.downloadFile ? { 'content-disposition': `attachment; filename="${name}"` } : {};
      return { body: yieldPieces(pieces), headers };
    },
    'POST /api/admin/features-batch/validate': async ({ body, caller }) => {
      requireVisible(caller, body.project);
      const { plan, errors, warnings, permissions, missing } = await planImport(db, limits, body, caller, clock.now());
      const conflicts = await conflictsWithReleasePlans(db, plan);
      const head = { errors: [...errors, ...conflicts], warnings, permissions, breakGlass: couldBreakGlass(missing) };
      return { body: jsonList(head, 'changes', changesAsText(plan.changes)) };
    },
    'POST /api/admin/features-batch/import': async ({ body, author, caller }) => {
      requireVisible(caller, body.project);
      await write(author, (tx) => importFlags(tx, limits, body, caller));
    },
  };
}
