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
  /** Holds: temporary states of flags in environments that override the configured states. */
  feature_leases: {
    id: Generated<number>;
    feature_name: string;
    environment: string;
    /** `off`, `rollout` or `on`. */
    effect: string;
    /** 0 to 100 where the effect is `rollout`; null for the others. */
    rollout: number | null;
    /** 1 when the flag had no active strategy when the hold was placed: it is on for everyone while it has none. */
    for_everyone: number;
    /** `run` or `person`. Kind, key and set identify the holder. */
    holder_kind: string;
    holder_key: string;
    run_id: number | null;
    reason: string | null;
    placed_by_user_id: number;
    placed_by: string;
    placed_at: number;
    expires_at: number | null;
    /** The set whose run holds the flag; null for people and for runs before holds had a set. */
    action_set_id: number | null;
    /** The run that asked for the hold last; null for people and for runs before holds had a set. */
    renewed_by_run_id: number | null;
    /** When its end is announced; null when that is done, or when it would come too late. */
    announce_at: number | null;
    /** `release`, or `keep` for a hold that a person has to release after its end. */
    on_expiry: Generated<string>;
  };
}
