import type { Dialect } from './dialect.ts';

/**
 * Adds the acknowledgements of what automation left for a person, and the times of events about alerts without effect.
 * Integrations that people read and that send events of held flags subscribe to the new events.
 */
export function acknowledgements({ int }: Dialect): readonly string[] {
  const held = '"feature-lease-placed"';
  const ofAlerts = '"alerts-without-effect","alerts-without-effect-ended"';
  const more = `"automation-unacknowledged",${ofAlerts},"release-plan-waiting"`;
  return [
    `create table acknowledgements (
      subject text not null primary key,
      project text,
      environment text,
      acknowledged_by text,
      acknowledged_at ${int},
      reminded_at ${int},
      created_at ${int} not null
    )`,
    'create index acknowledgements_created on acknowledgements (created_at)',
    'create index acknowledgements_acknowledged on acknowledgements (acknowledged_at)',
    `alter table signal_endpoints add column without_effect_told_at ${int}`,
    `update integrations set events = replace(events, '${held}', '${held},${more}')
      where provider in ('email', 'slack', 'slack-app', 'teams', 'discord')`,
  ];
}
