import { reservedName } from '../../kernel/visible-names.ts';
import type { Tx } from '../../storage/tx.ts';
import type { Description } from './application.ts';
import { findInView } from './queries.ts';
import { createApplication, deleteApplication, describe, eventData, findApplication } from './store.ts';

const undescribed = { strategies: [], description: null, url: null, color: null, icon: null };

/**
 * Updates the description of an application, or adds the application. Omitted fields keep their values. Rejects with
 * 409 when an application of that name exists that the author cannot see.
 */
export async function describeApplication(tx: Tx, appName: string, said: Description): Promise<void> {
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const before = await findApplication(tx.db, appName);
  if (before === undefined) {
    await createApplication(tx, { ...undescribed, ...given, appName, announced: true, described: true });
    return;
  }
  if (!(await isInView(tx, appName))) throw reservedName(appName, 'appName');
  const after = { ...before, ...given, announced: true, described: true };
  const [preData, data] = [eventData(before), eventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return;
  await describe(tx, after);
  tx.record({ type: 'application-updated', preData, data });
}

/** Deletes an application. Does nothing when there is none that the author can see. */
export async function forgetApplication(tx: Tx, appName: string): Promise<void> {
  const before = await findApplication(tx.db, appName);
  if (before === undefined || !(await isInView(tx, appName))) return;
  await deleteApplication(tx, appName);
  tx.record({ type: 'application-deleted', preData: eventData(before) });
}

async function isInView({ db, by }: Tx, appName: string): Promise<boolean> {
  return (await findInView(db, appName, by.hidden ?? new Set())) !== undefined;
}
