import type { Dialect } from '../dialect.ts';

/** Creates signal endpoints, their tokens, and signals. */
export function signals({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table signal_endpoints (
      id ${id},
      name ${text} not null unique,
      description ${text},
      enabled ${int} not null,
      created_at ${int} not null,
      created_by_user_id ${int} not null
    ) ${end}`,
    `create table signal_endpoint_tokens (
      id ${id},
      endpoint_id ${int} not null references signal_endpoints (id) on delete cascade,
      name ${text} not null,
      secret_hash ${text} not null unique,
      created_at ${int} not null,
      created_by_user_id ${int} not null,
      unique (endpoint_id, name)
    ) ${end}`,
    `create table signals (
      id ${int} primary key,
      endpoint_id ${int} not null,
      token_id ${int} not null,
      created_at ${int} not null,
      payload ${text} not null
    ) ${end}`,
    'create index signals_by_endpoint on signals (endpoint_id, id)',
    'create index signals_by_time on signals (created_at, id)',
    `create table signal_deliveries (
      endpoint_id ${int} not null,
      delivery_key ${text} not null,
      signal_id ${int} not null,
      created_at ${int} not null,
      primary key (endpoint_id, delivery_key)
    ) ${end}`,
    'create index signal_deliveries_by_time on signal_deliveries (created_at)',
  ];
}
