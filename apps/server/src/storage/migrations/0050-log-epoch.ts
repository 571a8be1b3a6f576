import type { Dialect } from './dialect.ts';

/**
 * Gives the event log an epoch, which tells it from its own past after a restore or a failover that lost changes
 * (docs/adr, 95), and each event a digest. An epoch begins with its time, so that a later one compares as greater. The
 * counter `probe` is advanced by the loop probe.
 */
export function logEpoch({ engine, text }: Dialect): readonly string[] {
  const epoch =
    engine === 'postgres'
      ? `lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || substr(md5(random()::text), 1, 8)`
      : `printf('%012x', cast(unixepoch('subsec') * 1000 as integer)) || lower(hex(randomblob(4)))`;
  return [
    `alter table counters add column epoch ${text}`,
    `alter table events add column digest ${text}`,
    `alter table event_consumers add column epoch ${text}`,
    `update counters set epoch = ${epoch} where name = 'event'`,
    `insert into counters (name, value, moved_at) values ('probe', 0, 0)`,
    `update event_consumers set epoch = (select epoch from counters where name = 'event')`,
  ];
}
