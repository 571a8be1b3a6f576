import type { NormalizedSignal, RecognisedFields } from '@yardarm/contract';
import { timeText } from '../../../kernel/clock.ts';
import { chunksOf } from '../../../kernel/lists.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import type { PendingSignal } from '../../signals/index.ts';
import type { PayloadView } from '../matching/index.ts';

/**
 * How long after the end of an alert a report that it fires counts as late. Retries, and the reports of a second
 * instance of a sender, are seconds late. If the alert fires again with the same start, the report comes later:
 * Alertmanager waits five minutes by default.
 */
const lateMs = 2 * 60 * 1000;

/** An alert from its start to its end. */
interface Alert {
  readonly fingerprint: string;
  readonly startedAt: string;
}

interface AlertEnd {
  readonly signalId: number;
  /** Milliseconds UTC. */
  readonly at: number;
}

type Recognised = Pick<PendingSignal, 'id' | 'normalized'>;

/** Returns why a firing alert is late; undefined for all other views of a payload. */
export type IsLate = (view: PayloadView) => string | undefined;

/** The ends of the alerts in a batch of signals: the stored ones, and those that signals of the batch report. */
export interface AlertEnds {
  /** Returns the check for the views of a signal. Adds the ends that the signal reports, for the signals after it. */
  after(signal: Recognised): IsLate;
  /** Saves the ends that the signals of the batch reported. */
  save(tx: Tx): Promise<void>;
}

/** Loads the stored ends of the alerts that a batch of signals reports as firing, with at most one statement. */
export async function loadAlertEnds(
  db: Db,
  now: number,
  endpointId: number,
  batch: readonly Recognised[],
): Promise<AlertEnds> {
  const firing = batch.flatMap((signal) => alertsIn(readNormalized(signal), 'firing'));
  const known = firing.length === 0 ? [] : await endsOf(db, endpointId, firing, now - lateMs);
  const ends = new Map(known.map(({ alert, end }) => [keyOf(alert), end]));
  const reported = new Map<string, { readonly alert: Alert; readonly end: AlertEnd }>();
  return {
    after(signal) {
      const normalized = readNormalized(signal);
      const before = new Map(ends);
      for (const alert of alertsIn(normalized, 'resolved')) {
        const end = { signalId: signal.id, at: now };
        ends.set(keyOf(alert), end);
        reported.set(keyOf(alert), { alert, end });
      }
      return (view) => {
        const fields = normalized && fieldsOf(normalized, view);
        const alert = fields?.state === 'firing' ? alertOf(fields) : undefined;
        const end = alert && before.get(keyOf(alert));
        return end === undefined || alert === undefined || !isOf(view, alert)
          ? undefined
          : `Late: the alert ${alert.fingerprint}, which began at ${timeText(Date.parse(alert.startedAt), 'seconds')}, was resolved by signal ${end.signalId} already.`;
      };
    },
    async save(tx) {
      if (reported.size === 0) return;
      await tx.db
        .deleteFrom('alert_ends')
        .where('endpoint_id', '=', endpointId)
        .where('ended_at', '<', now - lateMs)
        .execute();
      const rows = [...reported.values()].map(({ alert, end }) => ({
        endpoint_id: endpointId,
        fingerprint: alert.fingerprint,
        started_at: alert.startedAt,
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
    alert: { fingerprint: row.fingerprint, startedAt: row.started_at },
    end: { signalId: row.signal_id, at: row.ended_at },
  }));
}

function keyOf({ fingerprint, startedAt }: Alert): string {
  return `${startedAt} ${fingerprint}`;
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

/** Returns the fields that were recognised for a view: those of its element, or of a signal without elements. */
function fieldsOf({ elements, ...whole }: NormalizedSignal, { element }: PayloadView): RecognisedFields | undefined {
  if (element !== null) return elements[element];
  return elements.length === 0 ? whole : undefined;
}

/**
 * Returns whether a view contains the fingerprint of an alert. A set may run for another array than the array of
 * alerts; the element with the same index is then not the alert.
 */
function isOf({ element, payload }: PayloadView, { fingerprint }: Alert): boolean {
  if (element === null) return true;
  return contains((payload as { readonly item: unknown }).item, fingerprint);
}

/** Returns whether a part of a value has this text. Fingerprints are recognised in numbers too, and without spaces. */
function contains(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return String(value).trim() === text;
  return Object.values(value).some((part) => contains(part, text));
}

function alertOf({ fingerprint, startedAt }: RecognisedFields): Alert | undefined {
  if (fingerprint === null || startedAt === null) return undefined;
  // PostgreSQL can store neither a NUL character nor an unpaired surrogate.
  return fingerprint.includes('\0') || !fingerprint.isWellFormed() ? undefined : { fingerprint, startedAt };
}

function readNormalized({ normalized }: Recognised): NormalizedSignal | undefined {
  return normalized === null ? undefined : (JSON.parse(normalized) as NormalizedSignal);
}
