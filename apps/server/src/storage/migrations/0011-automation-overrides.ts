import type { Dialect } from './dialect.ts';

/** Adds the overrides with which people keep automation off a flag in an environment. */
export function automationOverrides({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table automation_overrides (
      id ${id},
      feature_name ${text} not null,
      environment ${text} not null,
      reason ${text} not null,
      ends_at ${int},
      placed_by_user_id ${int} not null,
      placed_by ${text} not null,
      placed_at ${int} not null,
      unique (feature_name, environment),
      foreign key (feature_name, environment)
        references feature_environments (feature_name, environment) on delete cascade
    ) ${end}`,
    'create index automation_overrides_by_end on automation_overrides (ends_at) where ends_at is not null',
  ];
}
