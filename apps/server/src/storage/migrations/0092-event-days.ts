import type { Dialect } from './dialect.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Sums of events by the day, so that the activity of the last weeks is looked up instead of counted. */
export function eventDays({ int, text, end }: Dialect): readonly string[] {
  const sums = (scope: string) =>
    `insert into event_days (scope, name, day, total)
      select '${scope}', ${scope}, created_at - created_at % ${dayMs}, count(*) from events
      where ${scope} is not null group by 2, 3`;
  return [
    `create table event_days (scope ${text} not null, name ${text} not null, day ${int} not null, total ${int} not null,
      primary key (scope, name, day)) ${end}`,
    sums('project'),
    sums('environment'),
  ];
}
