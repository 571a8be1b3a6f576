import type { Ledger, SentSignal } from './ledger.ts';
import type { Query } from './storage.ts';

export interface SignalRow {
  id: number;
  created_at: number;
  payload: string;
}

/** Signals are those that were sent, each once, and all that were acknowledged, under the id that the answer named. */
export function checkSignals(rows: readonly SignalRow[], ledger: Ledger, found: Set<object>): string[] {
  const broken: string[] = [];
  const stored = new Map<string, SignalRow>();
  for (const row of rows) {
    const { marker } = JSON.parse(row.payload) as { marker: string };
    const sent = ledger.signals.get(marker);
    if (sent === undefined) broken.push(`signal ${row.id} was never sent`);
    else if (sent.payload !== row.payload) broken.push(`signal ${row.id} is not what was sent`);
    if (stored.has(marker)) broken.push(`signal ${row.id} is signal ${stored.get(marker)?.id} again`);
    stored.set(marker, row);
    if (sent !== undefined) found.add(sent);
  }
  for (const { marker, acknowledgedAs } of ledger.signals.values()) {
    if (acknowledgedAs === undefined) continue;
    if (stored.get(marker)?.id !== acknowledgedAs)
      broken.push(`acknowledged signal ${acknowledgedAs} is ${stored.get(marker)?.id ?? 'missing'}`);
  }
  return broken;
}

/** Keys lead to the signals they were sent with, and every acknowledged one leads somewhere. */
export async function checkDeliveries(query: Query, ledger: Ledger): Promise<string[]> {
  const rows = await query<{ delivery_key: string; payload: string | null }>(
    'select d.delivery_key, s.payload from signal_deliveries d left join signals s on s.id = d.signal_id',
  );
  const keys = new Map(rows.map(({ delivery_key: key, payload }) => [key, payload]));
  const broken: string[] = [];
  const acknowledgedOrStored = (sent: SentSignal) => sent.acknowledgedAs !== undefined;
  for (const sent of ledger.signals.values()) {
    if (sent.key === undefined) continue;
    const payload = keys.get(sent.key);
    if (payload === undefined ? acknowledgedOrStored(sent) : payload !== sent.payload)
      broken.push(`delivery ${sent.key} leads to ${payload === undefined ? 'nothing' : 'another signal'}`);
    keys.delete(sent.key);
  }
  for (const key of keys.keys()) broken.push(`delivery ${key} was never sent`);
  return broken;
}
