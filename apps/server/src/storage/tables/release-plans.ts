import type { Generated } from 'kysely';

export interface ReleasePlanTables {
  release_templates: {
    id: string;
    name: string;
    description: string | null;
    /** The only project whose flags can use the template; null for all projects. */
    project: string | null;
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
    /** 1 for a plan that serves nothing and records what it would do. */
    shadow: Generated<number>;
    paused_at: number | null;
    pause_reason: string | null;
    /** `hold` or `off` while the flag is held or off; null while it is on as configured. */
    stopped_by: string | null;
    /**
     * The milliseconds at the active milestone that count for its time gate, without the time since `running_since`.
     */
    elapsed_ms: number;
    /** The time since which time counts; null while the plan is paused or the flag is held or off. */
    running_since: number | null;
    /**
     * The time at which the gates of the active milestone are checked next; null while no milestone can start by
     * itself.
     */
    next_at: number | null;
    /** The time since which the time gate of the milestone is open and another gate is closed; null otherwise. */
    gated_at: number | null;
    /**
     * The number of halts at a milestone after which the plan goes back to its first milestone; null for a plan that
     * never does.
     */
    max_halts: number | null;
    /** The minutes after which a hold that does not help goes one milestone further down; null for never. */
    step_down_minutes: number | null;
    /** The minutes for which a held milestone is not tried again. */
    rest_minutes: number;
    /**
     * The number of times that a hold halted the plan since its active milestone was started or a person resumed the
     * plan.
     */
    halts: number;
    created_by_user_id: number;
    created_at: number;
  };
}
