import type { Guards } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { changeSetting, findSetting, KnownSetting } from '../settings/index.ts';

/** The setting's name in the table and in its events. */
const setting = 'maintenance.mode';

/** Maintenance: people and scripts may look but change nothing, while SDKs and signals are served as ever. */
export interface Maintenance {
  enabled(): Promise<boolean>;
  /** `guard`, and a 503 for what would change something while there is maintenance (docs/spec#maintenance). */
  behind(guard: Guards['admin']): Guards['admin'];
}

/** By which maintenance ends, and so open while it lasts. */
const ownPath = '/api/admin/maintenance';

/** What one process decides, the others follow as soon as they hear of it. `basePath` is what paths begin with. */
export function createMaintenance(database: Database, basePath: string): Maintenance {
  const known = new KnownSetting(database, setting, off);
  const enabled = async () => (await known.get()).enabled;
  return {
    enabled,
    behind: (guard) => async (request, method) => {
      const identity = await guard(request, method);
      const changes = method !== 'GET' && method !== 'HEAD';
      if (changes && request.path !== basePath + ownPath && (await enabled())) throw inMaintenance();
      return identity;
    },
  };
}

interface State {
  readonly enabled: boolean;
}

const off: State = { enabled: false };

/** Whether there is maintenance, by what is stored. */
export async function isInMaintenance(db: Db): Promise<boolean> {
  return ((await findSetting<State>(db, setting)) ?? off).enabled;
}

/** Begins or ends maintenance; what is so already stays so, and nothing is recorded. */
export async function setMaintenance(tx: Tx, state: State): Promise<void> {
  const before = await findSetting<State>(tx.db, setting);
  if ((before ?? off).enabled === state.enabled) return;
  await changeSetting(tx, setting, before, { enabled: state.enabled });
}

function inMaintenance(): Problem {
  return new Problem('ServiceUnavailableError', 'The service is in maintenance: nothing can be changed now.');
}
