import { markLength } from '../../seal.ts';
import type { Dialect } from '../dialect.ts';

/**
 * Creates action sets, runs, their effects and their outgoing calls. Endpoints, accounts and sets have no foreign keys:
 * a set outlives what it names, and a run outlives its set.
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
    // The cursor already lets a signal trigger a set once. This index makes the database refuse a second run.
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
    'create index action_runs_by_state on action_runs (state, id)',
    // Finds runs by the mark of the key that their secrets are encrypted under.
    `create index action_runs_by_mark on action_runs (substr(action_set, 1, ${markLength}), id)
      where substr(action_set, 1, 1) <> '{'`,
    `create table action_calls (
      id ${id},
      run_id ${int} not null references action_runs (id) on delete cascade,
      action_set_id ${int} not null,
      action_id ${int} not null,
      idempotency_key ${text} not null,
      method ${text} not null,
      url ${text} not null,
      headers ${text} not null,
      body ${text} not null,
      state ${text} not null,
      attempts ${int} not null,
      status ${int},
      details ${text},
      next_attempt_at ${int},
      created_at ${int} not null,
      settled_at ${int},
      url_hash ${text}
    ) ${end}`,
    'create index action_calls_by_run on action_calls (run_id)',
    'create index action_calls_by_set on action_calls (action_set_id, created_at)',
    'create index action_calls_due on action_calls (next_attempt_at) where next_attempt_at is not null',
  ];
}
