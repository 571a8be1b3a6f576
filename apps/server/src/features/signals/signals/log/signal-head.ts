import type { NormalizedSignal } from '@yardarm/contract';
import type { Database } from '#storage/database.ts';
import { sql } from '#storage/tx.ts';

/**
 * Selects the title and the state of a signal from a row `s` of `signals`, null where it has none, without reading its
 * elements, which may be 1,000.
 */
export function signalHead(engine: Database['engine']) {
  const member = <Value>(name: string) =>
    engine === 'sqlite'
      ? sql<Value | null>`json_extract(s.normalized, ${sql.lit(`$.${name}`)})`
      : sql<Value | null>`(s.normalized::json ->> ${sql.lit(name)})`;
  return [
    member<string>('title').as('title'),
    member<NonNullable<NormalizedSignal['state']>>('state').as('state'),
  ] as const;
}
