import type { NormalizedSignal, RecognisedFields } from '@yardarm/contract';
import type { PendingSignal } from '#features/signals/signals/index.ts';
import { timeText } from '#kernel/clock.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { isBeforeEnd, type PayloadView } from '../../matching/index.ts';

/**
 * How long after the end of an alert a report that it fires counts as late. Retries, and the reports of a second
 * instance of a sender, are seconds late. If the alert fires again with the same start, the report comes later:
 * Alertmanager waits five minutes by default. A late report would hold a flag for which no further `resolved` comes.
 * The start of an alert alone does not tell: one that was resolved because Prometheus was away fires again with its
 * start.
 */
const lateMs = 2 * 60 * 1000;

/** A report about an alert, with the times that order it among the others. */
interface Alert {
  readonly fingerprint: string;
  readonly occurredAt: string;
  readonly startedAt: string | null;
}

interface AlertEnd {
  readonly signalId: number;
  /** Milliseconds UTC. */
  readonly at: number;
  /** The time that orders the end among the reports about the alert. */
  readonly occurredAt: string;
}

type Recognised = Pick<PendingSignal, 'id' | 'normalized'>;

/** Returns why a firing alert is late; undefined for all other views of a payload. */
export type IsLate = (view: PayloadView) => string | undefined;

/** The ends of the alerts in a batch of signals: the stored ones, and those that signals of the batch report. */
export interface AlertEnds {
  /** Returns the check for the views of a signal. Adds the ends that the signal reports, for the signals after it. */
  after(signal: Recognised): IsLate;
  /** Saves the ends that the signals of the batch reported, up to a signal: a later one is not handled yet. */
  save(tx: Tx, upToSignalId: number): Promise<void>;
}

/** Loads the stored ends of the alerts that a batch of signals reports as firing, with at most one statement. */
export async function loadAlertEnds(
  db: Db,
  now: number,
  { id: endpointId, alertsAt }: { readonly id: number; readonly alertsAt: string | undefined },
  batch: readonly Recognised[],
): Promise<AlertEnds> {
  const firing = batch.flatMap((signal) => alertsIn(readNormalized(signal), 'firing'));
  const known = firing.length === 0 ? [] : await endsOf(db, endpointId, firing, now - lateMs);
  const ends = new Map<string, AlertEnd>();
  const note = (fingerprint: string, end: AlertEnd) => {
    const latest = ends.get(fingerprint);
    if (latest === undefined || latest.occurredAt <= end.occurredAt) ends.set(fingerprint, end);
  };
  for (const { fingerprint, end } of known) note(fingerprint, end);
  const reported = new Map<string, { readonly alert: Alert; readonly end: AlertEnd }>();
  return {
    after(signal) {
      const normalized = readNormalized(signal);
      const before = new Map(ends);
      for (const alert of alertsIn(normalized, 'resolved')) {
        const end = { signalId: signal.id, at: now, occurredAt: alert.occurredAt };
        note(alert.fingerprint, end);
        reported.set(`${alert.occurredAt} ${alert.fingerprint}`, { alert, end });
      }
      return (view) => {
        const fields = normalized && fieldsOf(normalized, view, alertsAt);
        const alert = fields?.state === 'firing' ? alertOf(fields) : undefined;
        const end = alert && before.get(alert.fingerprint);
        if (end === undefined || alert === undefined || !isBeforeEnd(alert, end.occurredAt)) return undefined;
        const began = timeText(Date.parse(alert.startedAt ?? alert.occurredAt), 'seconds');
        return `Late: the alert ${alert.fingerprint}, which began at ${began}, was resolved by signal ${end.signalId} already.`;
      };
    },
    async save(tx, upToSignalId) {
      const handled = [...reported.values()].filter(({ end }) => end.signalId <= upToSignalId);
      if (handled.length === 0) return;
      await tx.db
        .deleteFrom('alert_ends')
        .where('endpoint_id', '=', endpointId)
        .where('ended_at', '<', now - lateMs)
        .execute();
      const rows = handled.map(({ alert, end }) => ({
        endpoint_id: endpointId,
        fingerprint: alert.fingerprint,
        started_at: alert.occurredAt,
        signal_id: end.signalId,
        ended_at: end.at,
      }));
      for (const part of chunksOf(rows)) {
        await tx.db
          .insertInto('alert_ends')
          .values(part)
          .onConflict((conflict) =>
            conflict.columns(['endpoint_id', 'fingerprint', 'started_at']).doUpdateSet((eb) => ({
              signal_id: eb.ref('excluded.signal_id'),
              ended_at: eb.ref('excluded.ended_at'),
            })),
          )
          .execute();
      }
    },
  };
}

async function endsOf(db: Db, endpointId: number, alerts: readonly Alert[], since: number) {
  const rows = await db
    .selectFrom('alert_ends')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('fingerprint', 'in', [...new Set(alerts.map(({ fingerprint }) => fingerprint))])
    .where('ended_at', '>', since)
    .execute();
  return rows.map((row) => ({
    fingerprint: row.fingerprint,
    end: { signalId: row.signal_id, at: row.ended_at, occurredAt: row.started_at },
  }));
}

/**
 * Returns the alerts that a signal reports in a state: its elements, or the signal itself when it has no elements. The
 * fields of a signal with elements describe the group, not one alert.
 */
function alertsIn(normalized: NormalizedSignal | undefined, state: 'firing' | 'resolved'): Alert[] {
  if (normalized === undefined) return [];
  const parts = normalized.elements.length > 0 ? normalized.elements : [normalized];
  return parts.flatMap((part) => (part.state === state ? (alertOf(part) ?? []) : []));
}

/**
 * Returns the fields that were recognised for a view: those of its element, or of a signal without elements. An element
 * of another array than that of the alerts is no alert.
 */
function fieldsOf(
  { elements, ...whole }: NormalizedSignal,
  { element, forEach }: PayloadView,
  alertsAt: string | undefined,
): RecognisedFields | undefined {
  if (element === null) return elements.length === 0 ? whole : undefined;
  return forEach === alertsAt || forEach === 'normalized.elements' ? elements[element] : undefined;
}

function alertOf({ fingerprint, occurredAt, startedAt }: RecognisedFields): Alert | undefined {
  if (fingerprint === null || occurredAt == null) return undefined;
  // PostgreSQL can store neither a NUL character nor an unpaired surrogate.
  const isStorable = !fingerprint.includes('\0') && fingerprint.isWellFormed();
  return isStorable ? { fingerprint, occurredAt, startedAt } : undefined;
}

function readNormalized({ normalized }: Recognised): NormalizedSignal | undefined {
  return normalized === null ? undefined : (JSON.parse(normalized) as NormalizedSignal);
}
