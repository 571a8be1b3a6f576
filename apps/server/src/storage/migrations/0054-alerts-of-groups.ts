import type { Dialect } from './dialect.ts';

/** Adds the alerts that fire in groups, so that a flag that is held for a group is released when all have ended. */
export function alertsOfGroups({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table alert_groups (
      endpoint_id ${int} not null,
      group_condition ${text} not null,
      part ${text} not null,
      alert_condition ${text} not null,
      occurred_at ${int},
      reported_at ${int} not null,
      primary key (endpoint_id, group_condition, part, alert_condition)
    ) ${end}`,
    'create index alert_groups_by_alert on alert_groups (endpoint_id, alert_condition)',
  ];
}
