import type { Dialect } from './dialect.ts';

export function system({ id, int, text, end, engine }: Dialect): readonly string[] {
  // The shape that the rate limiter's PostgreSQL store expects; in one process limits are kept in memory.
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
    // Settings of the service that people change while it runs.
    `create table settings (name ${text} primary key, content ${text} not null) ${end}`,
    // What tells this installation from others.
    `insert into settings (name, content) values ('instance.id', ${randomId})`,
    ...rateLimits,
  ];
}
