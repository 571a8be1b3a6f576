export interface ReleasePlanTables {
  release_templates: {
    id: string;
    name: string;
    description: string | null;
    /** A JSON array of milestones with their strategies. */
    milestones: string;
    created_by_user_id: number;
    created_at: number;
    archived_at: number | null;
  };
  /** Release plans: each serves the strategies of its active milestone, which are rows of `feature_strategies`. */
  release_plans: {
    id: string;
    feature_name: string;
    environment: string;
    name: string;
    description: string | null;
    template_id: string | null;
    /** A JSON array of milestones with their strategies. */
    milestones: string;
    active_milestone_id: string;
    paused_at: number | null;
    pause_reason: string | null;
    /** `hold` or `off` while the flag is held or off; null while it is on as configured. */
    stopped_by: string | null;
    /** Time at the active milestone that counts, up to `running_since`. */
    elapsed_ms: number;
    /** Since when the time counts; null while it does not. */
    running_since: number | null;
    /** When the next milestone starts by itself; null while none does. */
    next_at: number | null;
    /** Since when its time is over and another gate is closed; null otherwise. */
    gated_at: number | null;
    /** After how many halts at a milestone it goes back to the first; null when it never does. */
    max_halts: number | null;
    /** Halts by holds since the active milestone was started, or a person resumed the plan. */
    halts: number;
    created_by_user_id: number;
    created_at: number;
  };
}
