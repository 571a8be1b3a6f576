import type { Dialect } from './dialect.ts';

/** Adds release templates, and the release plans of flags in environments. */
export function releasePlans({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table release_templates (
      id ${text} primary key,
      name ${text} not null unique,
      description ${text},
      milestones ${text} not null,
      created_by_user_id ${int} not null,
      created_at ${int} not null,
      archived_at ${int}
    ) ${end}`,
    // A plan ends when its flag leaves the environment.
    `create table release_plans (
      id ${text} primary key,
      feature_name ${text} not null,
      environment ${text} not null,
      name ${text} not null,
      description ${text},
      template_id ${text},
      milestones ${text} not null,
      active_milestone_id ${text} not null,
      paused_at ${int},
      pause_reason ${text},
      stopped_by ${text},
      elapsed_ms ${int} not null,
      running_since ${int},
      next_at ${int},
      created_by_user_id ${int} not null,
      created_at ${int} not null,
      unique (feature_name, environment),
      foreign key (feature_name, environment)
        references feature_environments (feature_name, environment) on delete cascade
    ) ${end}`,
  ];
}
