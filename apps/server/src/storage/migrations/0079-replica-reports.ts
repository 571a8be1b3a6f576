import type { Dialect } from './dialect.ts';

/** Stores the number of the last report of each replica, so that a report that comes again is counted once. */
export function replicaReports({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table replica_reports (
      replica ${text} primary key,
      sequence ${int} not null,
      reported_at ${int} not null
    ) ${end}`,
  ];
}
