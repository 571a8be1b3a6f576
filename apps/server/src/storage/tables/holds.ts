import type { Generated } from 'kysely';

export interface HoldTables {
  /** Overrides with which people keep automation off a flag in an environment. */
  automation_overrides: {
    id: Generated<number>;
    feature_name: string;
    environment: string;
    reason: string;
    /** Null for an override that lasts until it is ended. */
    ends_at: number | null;
    placed_by_user_id: number;
    placed_by: string;
    placed_at: number;
  };
  /** Acknowledgements of what automation left for a person. */
  acknowledgements: {
    /** One occurrence, such as `hold:17`. */
    subject: string;
    project: string | null;
    environment: string | null;
    /** The name of the person; null without an acknowledgement in force. */
    acknowledged_by: string | null;
    acknowledged_at: number | null;
    /** The time of the reminder; null before it. */
    reminded_at: number | null;
    created_at: number;
  };
  /** Holds: temporary states of flags in environments that override the configured states. */
  feature_leases: {
    id: Generated<number>;
    feature_name: string;
    environment: string;
    /** `off`, `rollout`, `on` or `milestone`. */
    effect: string;
    /** 0 to 100 where the effect is `rollout` or `milestone`; null for the others. */
    rollout: number | null;
    /** JSON of a held milestone where the effect is `milestone`; null for the others. */
    milestone: string | null;
    /**
     * 1 when the flag had no active strategy when the hold was placed. Such a hold turns the flag on for everyone while
     * the flag has no active strategy; other holds leave it off then.
     */
    for_everyone: number;
    /** `run`, `safeguard` or `person`. Kind, key and set identify the holder. */
    holder_kind: string;
    holder_key: string;
    run_id: number | null;
    reason: string | null;
    placed_by_user_id: number;
    placed_by: string;
    placed_at: number;
    expires_at: number | null;
    /**
     * The action set whose run holds the flag; null for holds of people, and for holds that are older than this column.
     */
    action_set_id: number | null;
    /**
     * The last run that asked for the hold; null for holds of people, and for holds that are older than this column.
     */
    renewed_by_run_id: number | null;
    /**
     * The time at which the end of the hold is announced; null when the end has been announced, or the hold ends too
     * soon or never.
     */
    announce_at: number | null;
    /** `release` for a hold that ends when it expires, `keep` for a hold that stays until a person releases it. */
    on_expiry: Generated<string>;
    /** The condition of the alert that asked for the hold last; null without one, and for older holds. */
    alert_condition: string | null;
    /** The time that orders the reports about the alert, in milliseconds UTC; null when its sender reports none. */
    alert_at: number | null;
    /** When automation holds the flag one milestone further down; null when it does not. */
    steps_down_at: number | null;
    /** Before when the milestone of a plan is not tried again; null for a hold that follows no plan. */
    rests_until: number | null;
  };
}
