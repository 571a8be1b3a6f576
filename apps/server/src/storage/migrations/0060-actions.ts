import type { Dialect } from './dialect.ts';

/**
 * Sets of actions, how far the signals of each endpoint have been handled, and what came of it. Endpoints and accounts are
 * named, not referred to: a set outlives what it names, and a run the set.
 */
export function actions({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table action_sets (
      id ${id},
      project ${text} not null references projects (id) on delete cascade,
      name ${text} not null,
      description ${text},
      enabled ${int} not null,
      actor_id ${int} not null,
      endpoint_id ${int} not null,
      filters ${text} not null,
      for_each ${text},
      allow ${text},
      guards ${text} not null,
      shadow ${int} not null,
      since_signal_id ${int} not null,
      created_at ${int} not null,
      created_by_user_id ${int} not null,
      unique (project, name)
    ) ${end}`,
    'create index action_sets_by_endpoint on action_sets (endpoint_id) where enabled = 1',
    `create table actions (
      id ${id},
      action_set_id ${int} not null references action_sets (id) on delete cascade,
      action ${text} not null,
      sort_order ${int} not null,
      params ${text} not null,
      created_at ${int} not null,
      created_by_user_id ${int} not null
    ) ${end}`,
    'create index actions_by_set on actions (action_set_id)',
    `create table action_cursors (
      endpoint_id ${int} primary key,
      signal_id ${int} not null
    ) ${end}`,
    `create table action_runs (
      id ${id},
      action_set_id ${int} not null,
      project ${text} not null,
      signal_id ${int} not null,
      token_id ${int} not null,
      element ${int},
      cause ${text} not null,
      takes_back_run_id ${int},
      state ${text} not null,
      reason ${text},
      shadow ${int} not null,
      action_set ${text} not null,
      created_at ${int} not null
    ) ${end}`,
    'create index action_runs_by_set on action_runs (action_set_id, id)',
    'create index action_runs_by_signal on action_runs (signal_id)',
    'create index action_runs_by_time on action_runs (created_at)',
    'create index action_runs_taken_back on action_runs (takes_back_run_id) where takes_back_run_id is not null',
    // That a signal sets a set off once follows from the cursor; here the database itself refuses a second time.
    `create unique index action_runs_once on action_runs (signal_id, action_set_id, coalesce(element, -1)) where cause = 'signal'`,
    `create table action_effects (
      run_id ${int} not null,
      action_set_id ${int} not null,
      project ${text} not null,
      feature_name ${text} not null,
      environment ${text} not null,
      created_at ${int} not null,
      primary key (run_id, feature_name, environment)
    ) ${end}`,
    'create index action_effects_by_flag on action_effects (feature_name, environment, created_at)',
    'create index action_effects_by_set on action_effects (action_set_id, created_at)',
    'create index action_effects_by_time on action_effects (created_at)',
    `create index events_by_run on events (run_id) where run_id is not null`,
  ];
}
