import type { Tx } from '#storage/tx.ts';
import type { Application, Description } from './application.ts';
import { findInView } from './queries.ts';
import { createApplication, deleteApplication, describe, eventData, findApplication } from './store.ts';

const undescribed = { strategies: [], description: null, url: null, color: null, icon: null };

/**
 * Updates the description of an application, or adds the application. Omitted fields keep their values. To an author
 * who cannot see an application of that name, it is a new one: its description is stored beside that of the
 * application.
 */
export async function describeApplication(tx: Tx, appName: string, said: Description): Promise<void> {
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const before = await findApplication(tx.db, appName);
  if (before === undefined) {
    await createApplication(tx, { ...undescribed, ...given, appName, announced: true, described: true });
    return;
  }
  const seen = await findInView(tx.db, appName, hiddenFrom(tx));
  if (seen?.isInUse !== true) {
    const shown = { ...(before.shown ?? { ...undescribed, since: tx.now }), ...given };
    return change(
      tx,
      { before, after: { ...before, shown } },
      { preData: seen, data: asDescribed({ appName, ...shown }) },
    );
  }
  const after = { ...before, ...given, announced: true, described: true };
  await change(tx, { before, after }, { preData: before, data: after });
}

/**
 * Deletes an application. Does nothing when there is none that the author can see. Of an application of which the
 * author sees only its description, deletes the description.
 */
export async function forgetApplication(tx: Tx, appName: string): Promise<void> {
  const before = await findApplication(tx.db, appName);
  const seen = await findInView(tx.db, appName, hiddenFrom(tx));
  if (before === undefined || seen === undefined) return;
  if (seen.isInUse) await deleteApplication(tx, appName);
  else await describe(tx, { ...before, shown: null });
  tx.record({ type: 'application-deleted', preData: eventData(seen) });
}

type Told = Parameters<typeof eventData>[0];

/** Stores a changed application and records the change as its author sees it. */
async function change(
  tx: Tx,
  { before, after }: { readonly before: Application; readonly after: Application },
  told: { readonly preData: Told | undefined; readonly data: Told },
): Promise<void> {
  const data = eventData(told.data);
  const preData = told.preData && eventData(told.preData);
  if (JSON.stringify(before) !== JSON.stringify(after)) await describe(tx, after);
  if (preData === undefined) tx.record({ type: 'application-created', data });
  else if (JSON.stringify(preData) !== JSON.stringify(data)) tx.record({ type: 'application-updated', preData, data });
}

function asDescribed<T extends object>(application: T) {
  return { ...application, announced: true, described: true };
}

function hiddenFrom({ by }: Tx): ReadonlySet<string> {
  return by.hidden ?? new Set();
}
