import type { Generated } from 'kysely';

export interface LeaseTables {
  /** What holds a flag off, on or at a percentage in an environment, whatever is configured there. */
  feature_leases: {
    id: Generated<number>;
    feature_name: string;
    environment: string;
    /** `off`, `rollout` or `on`. */
    effect: string;
    /** 0 to 100 where the effect is `rollout`; null for the others. */
    rollout: number | null;
    /** Whether there was no active strategy when it was placed: until there is one, everybody is meant. */
    for_everyone: number;
    /** `run` or `person`; with the key it says who may place it again. */
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
