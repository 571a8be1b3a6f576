import type { Generated } from 'kysely';

export interface ActionTables {
  action_sets: {
    id: Generated<number>;
    project: string;
    name: string;
    description: string | null;
    enabled: number;
    actor_id: number;
    endpoint_id: number;
    /** JSON; `allow` and `guards` are JSON as well. */
    filters: string;
    /** JSON; null for a set whose holds no signal releases. */
    release_filters: string | null;
    /** Path of the array in the payload; the set runs once for each element. */
    for_each: string | null;
    allow: string | null;
    guards: string;
    shadow: number;
    /** Signals up to this id are ignored. */
    since_signal_id: number;
    created_at: number;
    created_by_user_id: number;
    /** The trigger of the set: `signal` or `silence`. */
    trigger_kind: Generated<string>;
  };
  /** Enabled sets whose service account lacks what they need. A row outlives its set until the end is recorded. */
  blocked_action_sets: {
    action_set_id: number;
    name: string;
    project: string;
    reason: string;
    blocked_since: number;
  };
  actions: {
    id: Generated<number>;
    action_set_id: number;
    action: string;
    sort_order: number;
    /** JSON; sealed where the kind of action calls a system outside. */
    params: string;
    created_at: number;
    created_by_user_id: number;
  };
  /** All signals of the endpoint up to this id have been handled. */
  action_cursors: { endpoint_id: number; signal_id: number };
  /** The latest ends of alerts, kept for minutes. */
  alert_ends: {
    endpoint_id: number;
    fingerprint: string;
    /** As the sender wrote it. */
    started_at: string;
    signal_id: number;
    ended_at: number;
  };
  action_runs: {
    id: Generated<number>;
    action_set_id: number;
    project: string;
    signal_id: number;
    token_id: number;
    element: number | null;
    cause: string;
    takes_back_run_id: number | null;
    state: string;
    reason: string | null;
    shadow: number;
    /** JSON: the set as it was, with what became of each action; sealed where one calls a system outside. */
    action_set: string;
    created_at: number;
    /** 1 when the run is older than the retention of signals and is kept because events name it. */
    kept: Generated<number>;
    /** The earliest time at which a waiting run continues, in milliseconds UTC; null when it does not wait. */
    waits_until: number | null;
    /** The condition for which a waiting run holds flags; null for other runs. */
    waits_for: string | null;
    /** The time until which a run waits for the decision of a person; null when it waits for none. */
    decide_by: number | null;
  };
  /** Requests that runs have asked for; `deliveries` has the state of each. */
  action_calls: {
    id: Generated<number>;
    run_id: number;
    action_set_id: number;
    action_id: number;
    method: string;
    /** Sealed, as `headers` and `body` are; each is empty when nothing is to be sent any more. */
    url: string;
    /** Finds repeated requests; null in rows older than this column. */
    url_hash: string | null;
    /** JSON. */
    headers: string;
    body: string;
    created_at: number;
  };
  /** Flags that runs have changed; guards count these rows. */
  action_effects: {
    run_id: number;
    action_set_id: number;
    project: string;
    feature_name: string;
    environment: string;
    created_at: number;
  };
}
