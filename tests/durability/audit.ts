import { checkFile, checkJobs, checkNumbers, checkTotals } from './audit-database.ts';
import { checkEvents, checkState, type EventRow } from './audit-events.ts';
import { checkDeliveries, checkSignals, type SignalRow } from './audit-signals.ts';
import type { Ledger, SentChange, SentSignal } from './ledger.ts';
import type { Storage } from './storage.ts';

export interface Finding {
  /** The broken promises, a line for each. */
  readonly broken: readonly string[];
  /** The number of requests that were answered 503 and never acknowledged, but took effect. */
  readonly storedThoughRefused: number;
}

/**
 * Compares the stored data with what was sent and answered, with no server running: acknowledged changes are stored
 * exactly once, others at most once, nothing else is stored, ids are gapless and grow with time, and the database is
 * sound.
 */
export async function audit(storage: Storage, ledger: Ledger): Promise<Finding> {
  const stored = new Set<SentSignal | SentChange>();
  const broken = await storage.read(async (query) => {
    const signals = await query<SignalRow>('select id, endpoint_id, created_at, payload from signals order by id');
    const events = await query<EventRow>(
      'select id, type, created_at, data, pre_data, feature_name, environment, request_id from events order by id',
    );
    const counters = await query<{ name: string; value: number }>('select name, value from counters');
    const last = (name: string) => counters.find((counter) => counter.name === name)?.value;
    return [
      ...checkNumbers('signal', signals, last('signal')),
      ...checkNumbers('event', events, last('event')),
      ...checkSignals(signals, ledger, stored),
      ...(await checkDeliveries(query, ledger)),
      ...checkEvents(events, ledger, stored),
      ...(await checkState(query, events)),
      ...(await checkTotals(query)),
      ...(await checkJobs(query)),
      ...(storage.engine === 'sqlite' ? await checkFile(query, events.length) : []),
    ];
  });
  const storedThoughRefused = [...ledger.refused].filter(([sent]) => stored.has(sent));
  for (const [sent, message] of storedThoughRefused)
    if (message.includes('Nothing was changed'))
      broken.push(`it is there, against "${message}": ${JSON.stringify(sent)}`);
  return { broken: [...broken, ...ledger.surprises], storedThoughRefused: storedThoughRefused.length };
}
