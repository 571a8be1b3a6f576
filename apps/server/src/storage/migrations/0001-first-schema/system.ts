import type { Dialect } from '../dialect.ts';

/** Creates jobs, settings and rate limits. */
export function system({ id, int, text, end, engine }: Dialect): readonly string[] {
  // The table that the rate limiter's PostgreSQL store expects. On SQLite, one process keeps its limits in memory.
  const rateLimits =
    engine === 'postgres'
      ? [
          'create unlogged table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)',
        ]
      : [];
  const randomId =
    engine === 'postgres'
      ? `'"' || replace(gen_random_uuid()::text, '-', '') || '"'`
      : `'"' || lower(hex(randomblob(16))) || '"'`;
  return [
    `create table jobs (
      id ${id},
      kind ${text} not null,
      payload ${text} not null,
      unique_key ${text} unique,
      run_at ${int} not null,
      attempts ${int} not null,
      last_error ${text}
    ) ${end}`,
    'create index jobs_by_time on jobs (run_at, id)',
    // Settings that people change while the service runs.
    `create table settings (name ${text} primary key, content ${text} not null) ${end}`,
    // The id of this installation.
    `insert into settings (name, content) values ('instance.id', ${randomId})`,
    ...rateLimits,
  ];
}
