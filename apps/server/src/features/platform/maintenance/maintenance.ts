import { z } from 'zod';
import { CachedSetting, changeSetting, defineSetting, findSetting } from '#features/platform/settings/index.ts';
import type { Guards } from '#http/request.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** Maintenance mode: the admin API is read-only, while SDKs and signals are served as usual. */
export interface Maintenance {
  enabled(): Promise<boolean>;
  /** Returns a guard that also rejects changes with 503 during maintenance, except on routes that stay open
   * (docs/spec#maintenance). */
  wrap(guard: Guards['admin']): Guards['admin'];
}

/** Creates the maintenance mode. The setting is cached; other processes follow a change through the change feed. */
export function createMaintenance(database: Database): Maintenance {
  const known = new CachedSetting(database, setting, off);
  const enabled = async () => (await known.get()).enabled;
  return {
    enabled,
    wrap: (guard) => async (request, method, spec) => {
      const identity = await guard(request, method, spec);
      const changes = method !== 'GET' && method !== 'HEAD';
      if (changes && spec.duringMaintenance !== true && (await enabled())) throw inMaintenance();
      return identity;
    },
  };
}

interface State {
  readonly enabled: boolean;
}

const setting = defineSetting<State>('maintenance.mode', z.object({ enabled: z.boolean() }));

const off: State = { enabled: false };

/** Reads from the database whether maintenance is on. */
export async function isInMaintenance(db: Db): Promise<boolean> {
  return ((await findSetting(db, setting)) ?? off).enabled;
}

/** Begins or ends maintenance. Records an event only when the state changes. */
export async function setMaintenance(tx: Tx, state: State): Promise<void> {
  const before = await findSetting(tx.db, setting);
  if ((before ?? off).enabled === state.enabled) return;
  await changeSetting(tx, setting, before, { enabled: state.enabled });
}

/** Returns the 503 of a change that maintenance refuses. */
export function inMaintenance(): Problem {
  return new Problem(
    'ServiceUnavailableError',
    'The service is in maintenance mode: flags can be held off and holds released, but nothing else can be changed. Try again later.',
  );
}
