import type { Dialect } from './dialect.ts';

/**
 * Creates the deliveries of integrations and of action calls, their attempts and the health of integrations, and moves
 * the rows of `integration_events` and `action_calls` there.
 */
export function deliveries({ id, int, text, end, engine }: Dialect): readonly string[] {
  const field = (name: string) =>
    engine === 'sqlite' ? `json_extract(details, '$.${name}')` : `(details::json ->> '${name}')::bigint`;
  return [
    `create table deliveries (
      id ${id},
      message_id ${text} not null,
      integration_id ${int} references integrations (id) on delete cascade,
      call_id ${int} references action_calls (id) on delete cascade,
      event_id ${int},
      state ${text} not null,
      attempts ${int} not null,
      failures ${int} not null,
      status ${int},
      details ${text},
      next_attempt_at ${int},
      created_at ${int} not null,
      expires_at ${int} not null,
      settled_at ${int},
      check ((integration_id is null) <> (call_id is null))
    ) ${end}`,
    `create table delivery_attempts (
      id ${id},
      delivery_id ${int} not null references deliveries (id) on delete cascade,
      integration_id ${int},
      attempted_at ${int} not null,
      duration_ms ${int} not null,
      request ${text} not null,
      status ${int},
      answer ${text},
      error ${text}
    ) ${end}`,
    `create table delivery_health (
      integration_id ${int} primary key references integrations (id) on delete cascade,
      consecutive_failures ${int} not null,
      failing_since ${int},
      paused_at ${int},
      last_error ${text},
      blocked_until ${int} not null
    ) ${end}`,
    ...move(field),
    'drop table integration_events',
    'alter table integrations drop column lease_holder',
    'alter table integrations drop column lease_until',
    `alter table integrations add column ordered ${int} not null default 1`,
    `alter table integrations add column actors ${text} not null default '[]'`,
    `alter table integrations add column cause ${text} not null default 'any'`,
    `alter table integrations add column signing_keys ${text} not null default ''`,
    'drop index action_calls_due',
    ...['idempotency_key', 'state', 'attempts', 'status', 'details', 'next_attempt_at', 'settled_at'].map(
      (column) => `alter table action_calls drop column ${column}`,
    ),
    'create unique index deliveries_by_message on deliveries (message_id)',
    'create unique index deliveries_by_call on deliveries (call_id) where call_id is not null',
    'create index deliveries_by_integration on deliveries (integration_id, id) where integration_id is not null',
    `create index deliveries_by_state on deliveries (integration_id, state, id) where integration_id is not null`,
    `create index deliveries_due on deliveries (next_attempt_at) where state = 'waiting'`,
    'create index deliveries_by_time on deliveries (settled_at)',
    'create index delivery_attempts_by_delivery on delivery_attempts (delivery_id, id)',
    'create index delivery_attempts_by_integration on delivery_attempts (integration_id, id) where integration_id is not null',
    'create index delivery_attempts_by_time on delivery_attempts (attempted_at)',
  ];
}

/** A message lives a day from its creation, which was the fixed limit of action calls. */
const dayMs = 24 * 60 * 60 * 1000;

function move(field: (name: string) => string): readonly string[] {
  return [
    `insert into delivery_health (integration_id, consecutive_failures, failing_since, paused_at, last_error, blocked_until)
      select id, 0, null, null, null, 0 from integrations`,
    `insert into deliveries (message_id, integration_id, call_id, event_id, state, attempts, failures, status, details,
        next_attempt_at, created_at, expires_at, settled_at)
      select 'msg_' || event_id || '_' || integration_id || '_' || id, integration_id, null, event_id,
        case state when 'success' then 'delivered' else 'dead' end, coalesce(${field('attempts')}, 0), 0,
        ${field('status')}, state_details, null, created_at, created_at + ${dayMs}, created_at
      from integration_events order by id`,
    `insert into deliveries (message_id, integration_id, call_id, event_id, state, attempts, failures, status, details,
        next_attempt_at, created_at, expires_at, settled_at)
      select idempotency_key, null, id, null,
        case state when 'queued' then 'waiting' when 'delivered' then 'delivered' else 'dead' end, attempts, attempts,
        status, details, next_attempt_at, created_at, created_at + ${dayMs}, settled_at
      from action_calls order by id`,
  ];
}
