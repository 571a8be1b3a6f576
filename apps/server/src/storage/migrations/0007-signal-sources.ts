import type { Dialect } from './dialect.ts';

/**
 * Adds the kind of sender and the limits of signal endpoints, the authentication of signal tokens, what a source
 * recognised in a signal, and the counts of refused requests.
 */
export function signalSources({ int, text, end }: Dialect): readonly string[] {
  return [
    `alter table signal_endpoints add column source ${text} not null default 'generic'`,
    `alter table signal_endpoints add column rate_per_second ${int}`,
    `alter table signal_endpoints add column burst ${int}`,
    `alter table signal_endpoints add column max_body_bytes ${int}`,
    `alter table signal_endpoint_tokens add column authentication ${text} not null default 'bearer'`,
    `alter table signal_endpoint_tokens add column header ${text}`,
    `alter table signal_endpoint_tokens add column signing_secret ${text} not null default ''`,
    `alter table signals add column normalized ${text}`,
    `create table signal_refusals (
      endpoint_id ${int} not null references signal_endpoints (id) on delete cascade,
      token_id ${int} not null,
      reason ${text} not null,
      count ${int} not null,
      last_at ${int} not null,
      primary key (endpoint_id, token_id, reason)
    ) ${end}`,
  ];
}
