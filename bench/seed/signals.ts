import type { Installation } from '../installation.ts';
import { withoutIndexes } from './indexes.ts';
import { textOf, withNumbers } from './numbers.ts';

const payload = JSON.stringify({
  status: 'firing',
  labels: { alertname: 'ErrorRate', service: 'checkout', instance: 'host-{i}' },
  startsAt: '2026-01-31T12:00:00.000Z',
});

/** Adds signals to an installation without any, sent to its first endpoint, one a second until now. */
export async function seedSignals(installation: Installation, count: number): Promise<void> {
  const now = Date.now();
  await withoutIndexes(
    installation,
    ['signals'],
    [
      `insert into signals (id, endpoint_id, token_id, created_at, payload)
      ${withNumbers(count)} select i, e.endpoint_id, e.id, ${now} - (${count} - i) * cast(1000 as bigint), ${textOf(payload)}
      from n cross join (select min(id) as id, min(endpoint_id) as endpoint_id from signal_endpoint_tokens) as e`,
      `update counters set value = ${count}, moved_at = ${now} where name = 'signal'`,
    ],
  );
}
