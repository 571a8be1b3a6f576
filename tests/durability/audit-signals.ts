import type { Ledger, SentSignal } from './ledger.ts';
import type { Query } from './storage.ts';

export interface SignalRow {
  id: number;
  created_at: number;
  payload: string;
}

/**
 * Checks that every stored signal was sent and is stored once, and that acknowledged ones are stored under the id of
 * the answer. Returns the breaches, and adds the stored signals to `found`.
 */
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

/**
 * Checks that each delivery key leads to the signal that was sent with it, and that no key of an acknowledged signal is
 * missing. Returns the breaches.
 */
export async function checkDeliveries(query: Query, ledger: Ledger): Promise<string[]> {
  const rows = await query<{ delivery_key: string; payload: string | null }>(
    'select d.delivery_key, s.payload from signal_deliveries d left join signals s on s.id = d.signal_id',
  );
  // A key is stored with the token of its sender: `<token id>:id:<key as sent>`.
  const keys = new Map(rows.map(({ delivery_key: key, payload }) => [key.replace(/^\d+:id:/, ''), payload]));
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
