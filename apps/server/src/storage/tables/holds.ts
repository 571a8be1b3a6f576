import type { Generated } from 'kysely';

export interface HoldTables {
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
    /** `run` or `person`. Kind and key identify the holder. */
    holder_kind: string;
    holder_key: string;
    run_id: number | null;
    reason: string | null;
    placed_by_user_id: number;
    placed_by: string;
    placed_at: number;
    expires_at: number | null;
  };
}
