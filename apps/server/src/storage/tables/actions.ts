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
    /**
     * JSON: the filters of the signals that trigger the set. `allow` (the flags, tags and environments that values from
     * a payload may name) and `guards` are JSON as well.
     */
    filters: string;
    /** JSON: the filters of the signals that release the holds of the set; null when no signal releases them. */
    release_filters: string | null;
    /**
     * The path of an array in the payload: the set runs once for each element. Null for a set that runs once for a
     * signal.
     */
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
    /** JSON: how earlier versions of the set release what they still hold; null for a set that was not edited. */
    former_ends: string | null;
  };
  /**
   * Enabled sets whose service account is gone or lacks a permission that they need. The row of a deleted set stays
   * until the event that the set is no longer blocked is recorded.
   */
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
    /** JSON: the parameters of the action; sealed for kinds of actions that call an outside system. */
    params: string;
    created_at: number;
    created_by_user_id: number;
  };
  /**
   * The id of the last signal of each endpoint that has been compared with action sets; later signals are still to be
   * handled. Some of the runs for `begun_signal_id` have committed.
   */
  action_cursors: { endpoint_id: number; signal_id: number; begun_signal_id: number | null };
  /** The alerts that fire in groups, which holds for whole groups wait for. */
  alert_groups: {
    endpoint_id: number;
    /** The fingerprint of the group, as a condition. */
    group_condition: string;
    /** The part of the group that its sender reports about at once. */
    part: string;
    alert_condition: string;
    /** The time that orders the reports about the alert, in milliseconds UTC; null when its sender reports none. */
    occurred_at: number | null;
    reported_at: number;
  };
  /**
   * The latest ends of alerts, kept for minutes, to recognise a firing signal that arrives after the end of its alert.
   */
  alert_ends: {
    endpoint_id: number;
    fingerprint: string;
    /** The start of the alert, as the sender wrote it. */
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
    /**
     * JSON: a copy of the set when it ran, with the result of each action; sealed when an action calls an outside
     * system.
     */
    action_set: string;
    created_at: number;
    /** 1 when the run is older than the retention of signals and is kept because events name it. */
    kept: Generated<number>;
    /** The earliest time at which a waiting run continues, in milliseconds UTC; null when it does not wait. */
    waits_until: number | null;
    /**
     * Identifies the condition for which a waiting run would hold flags, such as the fingerprint of an alert; null for
     * other runs. A later run for the same condition takes the place of the earlier one.
     */
    waits_for: string | null;
    /** The time until which a run waits for the decision of a person; null when it waits for none. */
    decide_by: number | null;
    /** The fingerprint of the alert, as a condition; null without one, and for runs of older versions. */
    alert_condition: string | null;
  };
  /** Requests to outside systems that runs have queued; `deliveries` has the state of each request. */
  action_calls: {
    id: Generated<number>;
    run_id: number;
    action_set_id: number;
    action_id: number;
    method: string;
    /** Sealed, as `headers` and `body` are. All three are emptied when the request will not be sent again. */
    url: string;
    /** A hash of the URL, with which repeated requests are found; null in rows that are older than this column. */
    url_hash: string | null;
    /** Sealed JSON: an object with the value of each header. */
    headers: string;
    body: string;
    created_at: number;
  };
  /**
   * Flags that runs have changed. The guards of action sets count these rows to limit how often a set changes flags.
   */
  action_effects: {
    run_id: number;
    action_set_id: number;
    project: string;
    feature_name: string;
    environment: string;
    created_at: number;
  };
}
