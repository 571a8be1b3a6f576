import type { stateRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { StateChange } from './changes.ts';
import { applyState, foreseeState } from './commands.ts';
import type { StateLimits } from './options.ts';
import { describeMissing } from './permissions.ts';
import { presentState } from './present.ts';

/** State as code. */
export function stateHandlers(
  { db, write }: Database,
  clock: Clock,
  limits: StateLimits,
): Handlers<typeof stateRoutes> {
  return {
    'GET /api/admin/state': async ({ query, caller }) => ({
      status: 200,
      body: await presentState(db, caller, query.projects?.split(',')),
    }),
    'POST /api/admin/state/plan': async ({ body, caller }) => {
      const { plan, fingerprint, errors, missing } = await foreseeState(db, limits, body, caller, clock.now());
      return {
        status: 200,
        body: {
          fingerprint,
          changes: presentChanges(plan.changes),
          errors: [...errors],
          permissions: missing.map((one) => ({ message: describeMissing(one), names: [...one.names] })),
        },
      };
    },
    'POST /api/admin/state/apply': async ({ body, caller, request }) => {
      const changes = await write(authorOf(caller, request), (tx) => applyState(tx, limits, body, caller));
      return { status: 200, body: { changes: presentChanges(changes) } };
    },
  };
}

/** Changes as they are answered. */
export function presentChanges(changes: readonly StateChange[]) {
  return changes.map((change) => ({ ...change, fields: [...change.fields] }));
}
