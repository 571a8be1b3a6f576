import type { Dialect } from './dialect.ts';

/** Adds the latest state of each alert that senders report, and the last signal that was read for it. */
export function firingAlerts({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table firing_alerts (
      endpoint_id ${int} not null,
      fingerprint ${text} not null,
      started_at ${text},
      signal_id ${int} not null,
      element ${int},
      since ${int} not null,
      last_at ${int} not null,
      resolved_at ${int},
      primary key (endpoint_id, fingerprint)
    ) ${end}`,
    'create index firing_alerts_by_time on firing_alerts (last_at)',
    'create index firing_alerts_open on firing_alerts (last_at) where resolved_at is null',
    `create table firing_alert_cursor (id ${int} primary key, signal_id ${int} not null) ${end}`,
    'insert into firing_alert_cursor values (1, 0)',
    'create index feature_leases_by_renewal on feature_leases (renewed_by_run_id) where renewed_by_run_id is not null',
  ];
}
