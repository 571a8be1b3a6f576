import type { Dialect } from './dialect.ts';

/**
 * Creates incidents with their events, the holds that keep them open and the notes of people, and the position up to
 * which events are grouped. The events of before are grouped from the position 0 on.
 */
export function incidents({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table incidents (
      id ${int} primary key,
      project ${text} not null,
      started_at ${int} not null,
      last_at ${int} not null,
      last_event_id ${int} not null
    ) ${end}`,
    'create index incidents_by_project on incidents (project, id)',
    'create index incidents_by_time on incidents (last_at)',
    `create table incident_events (
      event_id ${int} primary key references events (id) on delete cascade,
      incident_id ${int} not null references incidents (id) on delete cascade
    ) ${end}`,
    'create index incident_events_by_incident on incident_events (incident_id, event_id)',
    `create table incident_holds (
      incident_id ${int} not null references incidents (id) on delete cascade,
      hold_id ${int} not null,
      feature_name ${text} not null,
      primary key (incident_id, hold_id)
    ) ${end}`,
    'create index incident_holds_by_hold on incident_holds (hold_id)',
    `create table incident_notes (
      id ${id},
      incident_id ${int} not null references incidents (id) on delete cascade,
      note ${text} not null,
      created_by ${text} not null,
      created_by_user_id ${int} not null,
      created_at ${int} not null
    ) ${end}`,
    'create index incident_notes_by_incident on incident_notes (incident_id)',
    `create table incident_cursor (id ${int} primary key, event_id ${int} not null) ${end}`,
    'insert into incident_cursor values (1, 0)',
  ];
}
