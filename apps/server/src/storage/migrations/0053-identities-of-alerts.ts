import type { Dialect } from './dialect.ts';

/**
 * Adds the alert of a hold with the time of its occurrence, and the sender of a token. Tokens of existing endpoints
 * belong to one sender, as before.
 */
export function identitiesOfAlerts({ int, text }: Dialect): readonly string[] {
  return [
    `alter table feature_leases add column alert_condition ${text}`,
    `alter table feature_leases add column alert_at ${int}`,
    `alter table signal_endpoints add column one_sender ${int} not null default 1`,
    `alter table signal_endpoint_tokens add column sender ${text}`,
  ];
}
