import type { Dialect } from '../dialect.ts';

/** Creates integrations and their deliveries. */
export function integrations({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table integrations (
      id ${id},
      provider ${text} not null,
      description ${text},
      enabled ${int} not null,
      parameters ${text} not null,
      events ${text} not null,
      projects ${text} not null,
      environments ${text} not null,
      sees_all ${int} not null,
      cursor ${int} not null,
      lease_holder ${text},
      lease_until ${int} not null
    ) ${end}`,
    `create table integration_events (
      id ${id},
      integration_id ${int} not null references integrations (id) on delete cascade,
      event_id ${int} not null,
      created_at ${int} not null,
      state ${text} not null,
      state_details ${text} not null,
      details ${text} not null
    ) ${end}`,
    'create index integration_events_by_integration on integration_events (integration_id, id)',
    'create index integration_events_by_time on integration_events (created_at)',
  ];
}
