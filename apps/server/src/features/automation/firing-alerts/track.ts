import type { NormalizedSignal } from '@yardarm/contract';
import { isBeforeEnd, storableCondition } from '#features/automation/actions/index.ts';
import { newestSignalId } from '#features/signals/signals/index.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** How long an alert counts as firing after the last signal about it. Senders repeat an alert within some hours. */
export const keptMs = 24 * 60 * 60 * 1000;
/**
 * A report that an alert fires is ignored for this long after the end of the alert, if it has the same start: it is
 * late. Without a start it counts: a missed alert would hurt more than a late one.
 */
const lateMs = 2 * 60 * 1000;
/** The maximum number of signals per transaction, and of reports in them, unless a single signal has more. */
const maxSignals = 500;
const maxReports = 10_000;

type StoredAlert = Row<'firing_alerts'>;
type Report = Pick<StoredAlert, 'endpoint_id' | 'fingerprint' | 'started_at' | 'signal_id' | 'element'> & {
  readonly at: number;
  readonly fires: boolean;
  /** The start that the sender reports. `started_at` is the time that orders the reports. */
  readonly start: string | null;
};

/**
 * Reads the next signals that name the state of an alert, and stores the latest state of each alert. Returns whether
 * there are more.
 */
export async function trackNextSignals(tx: Tx): Promise<boolean> {
  // Sent together, in this order: a signal that comes after the newest one was read must not be skipped.
  const [, newest, signals] = await Promise.all([
    lockCursor(tx, {}),
    newestSignalId(tx.db),
    signalsWithAlerts(tx.db, { since: tx.now - keptMs }),
  ]);
  const reports: Report[] = [];
  let last: number | undefined;
  for (const signal of signals) {
    const ofSignal = reportsIn(signal);
    if (last !== undefined && reports.length + ofSignal.length > maxReports) break;
    reports.push(...ofSignal);
    last = signal.id;
  }
  await store(tx, reports);
  if (last === undefined) {
    tx.goOn(() => moveCursor(tx, { handled: newest }));
    return false;
  }
  const isMore = signals.length === maxSignals || last !== signals.at(-1)?.id;
  const handled = isMore ? last : Math.max(newest, last);
  tx.goOn(() => moveCursor(tx, { handled }));
  return isMore;
}

/** Locks the row of the cursor, so that only one process at a time reads signals. */
const lockCursor = prepared<Record<never, never>>().change((db) =>
  db.updateTable('firing_alert_cursor').set((eb) => ({ signal_id: eb.ref('signal_id') })),
);

const moveCursor = prepared<{ handled: number }>().change((db, { handled }) =>
  db.updateTable('firing_alert_cursor').set({ signal_id: handled }),
);

/** Returns the signals with alerts after the cursor. Older signals are left out: their alerts count as over. */
const signalsWithAlerts = prepared<{ since: number }>().query((db, { since }) =>
  db
    .selectFrom('signals')
    .select(['id', 'endpoint_id', 'created_at', 'normalized'])
    .where('id', '>', (eb) => eb.selectFrom('firing_alert_cursor').select('signal_id'))
    .where('created_at', '>=', since)
    .where('normalized', 'is not', null)
    .orderBy('id')
    .limit(maxSignals),
);

/**
 * Returns the states of alerts that a signal reports: one for each element, or one for the signal when it has no
 * elements.
 */
function reportsIn({
  id,
  endpoint_id,
  created_at,
  normalized,
}: Awaited<ReturnType<typeof signalsWithAlerts>>[number]): Report[] {
  if (normalized === null) return [];
  const { elements, ...whole } = JSON.parse(normalized) as NormalizedSignal;
  return (elements.length > 0 ? elements : [whole]).flatMap((part, index) => {
    const { state, fingerprint, formerFingerprint, occurredAt = null, startedAt } = part;
    if (fingerprint === null || (state !== 'firing' && state !== 'resolved')) return [];
    const element = elements.length > 0 ? index : null;
    const report = { endpoint_id, signal_id: id, element, at: created_at, started_at: occurredAt, start: startedAt };
    const fires = state === 'firing';
    const named = { ...report, fingerprint: storableCondition(fingerprint), fires };
    if (formerFingerprint == null) return named;
    // The alert is listed under one name only.
    return [{ ...report, fingerprint: storableCondition(formerFingerprint), fires: false }, named];
  });
}

async function store(tx: Tx, reports: readonly Report[]): Promise<void> {
  if (reports.length === 0) return;
  const known = await knownAlerts(tx.db, reports);
  const changed = new Map<string, StoredAlert>();
  for (const report of reports) {
    const key = keyOf(report);
    const next = nextState(changed.get(key) ?? known.get(key), report);
    if (next !== undefined) changed.set(key, next);
  }
  await tx.db
    .deleteFrom('firing_alerts')
    .where('last_at', '<', tx.now - keptMs)
    .execute();
  const rows = [...changed.values()];
  for (let from = 0; from < rows.length; from += maxSignals)
    await tx.db
      .insertInto('firing_alerts')
      .values(rows.slice(from, from + maxSignals))
      .onConflict((conflict) =>
        conflict.columns(['endpoint_id', 'fingerprint']).doUpdateSet((eb) => ({
          started_at: eb.ref('excluded.started_at'),
          signal_id: eb.ref('excluded.signal_id'),
          element: eb.ref('excluded.element'),
          since: eb.ref('excluded.since'),
          last_at: eb.ref('excluded.last_at'),
          resolved_at: eb.ref('excluded.resolved_at'),
        })),
      )
      .execute();
}

async function knownAlerts(db: Db, reports: readonly Report[]): Promise<Map<string, StoredAlert>> {
  const known = new Map<string, StoredAlert>();
  const fingerprints = [...new Set(reports.map(({ fingerprint }) => fingerprint))];
  const endpoints = [...new Set(reports.map(({ endpoint_id }) => endpoint_id))];
  for (let from = 0; from < fingerprints.length; from += maxSignals) {
    const rows = await db
      .selectFrom('firing_alerts')
      .selectAll()
      .where('endpoint_id', 'in', endpoints)
      .where('fingerprint', 'in', fingerprints.slice(from, from + maxSignals))
      .execute();
    for (const row of rows) known.set(keyOf(row), row);
  }
  return known;
}

/** Returns the state of an alert after a report; undefined when the report changes nothing. */
function nextState(before: StoredAlert | undefined, { at, fires, start, ...report }: Report): StoredAlert | undefined {
  const [occurredAt, known] = [report.started_at, before?.started_at ?? null];
  const isOfEarlierOccurrence = occurredAt !== null && known !== null && occurredAt < known;
  if (!fires)
    return isOfEarlierOccurrence ? undefined : before && { ...before, ...report, last_at: at, resolved_at: at };
  const resolvedAt = before?.resolved_at ?? null;
  const isOver = known !== null && isBeforeEnd({ occurredAt, startedAt: start }, known);
  const isLate = resolvedAt !== null && isOver && at - resolvedAt <= lateMs;
  if (isLate) return undefined;
  const since = before === undefined || resolvedAt !== null ? at : before.since;
  return { ...report, since, last_at: at, resolved_at: null };
}

function keyOf({ endpoint_id, fingerprint }: Pick<StoredAlert, 'endpoint_id' | 'fingerprint'>): string {
  return `${endpoint_id} ${fingerprint}`;
}
