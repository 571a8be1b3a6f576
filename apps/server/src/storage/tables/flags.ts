import type { Generated } from 'kysely';

export interface FlagTables {
  projects: {
    id: string;
    name: string;
    description: string | null;
    mode: string;
    default_stickiness: string;
    created_at: number;
    updated_at: number;
    archived_at: number | null;
    naming_pattern: string | null;
    naming_example: string | null;
    naming_description: string | null;
    /** JSON: a list of templates of the links that new flags get. */
    link_templates: string;
    feature_limit: number | null;
    /** 1 when changes in the project need a change reason. */
    reason_required: number;
    reason_pattern: string | null;
  };
  /** Ids of private projects that were deleted. Their events stay hidden, unless a new project has the id. */
  deleted_private_projects: { id: string };
  environments: {
    name: string;
    type: string;
    enabled: number;
    protected: number;
    sort_order: number;
    created_at: number;
    required_approvals: number | null;
  };
  project_environments: { project: string; environment: string };
  features: {
    name: string;
    project: string;
    type: string;
    description: string | null;
    stale: number;
    impression_data: number;
    created_at: number;
    created_by_user_id: number;
    archived_at: number | null;
    last_seen_at: number | null;
    /** Time of the first evaluation outside production; `live_at` is that of the first evaluation in production. */
    pre_live_at: Generated<number | null>;
    live_at: Generated<number | null>;
    completed_at: Generated<number | null>;
    /** `kept` or `discarded`; `completed_value` is the variant that was kept. Null until the flag is completed. */
    completed_status: Generated<string | null>;
    completed_value: Generated<string | null>;
    /** Time at which the flag was found to be older than the expected lifetime of its type. */
    potentially_stale_at: Generated<number | null>;
  };
  feature_environments: {
    feature_name: string;
    environment: string;
    enabled: number;
    last_seen_at: number | null;
    /** The hold in force; null when the flag is in its configured state. */
    lease_id: Generated<number | null>;
    /** The newest event of the log when a state last described the flag as off; null when no state has. */
    agreed_off_event: Generated<number | null>;
  };
  feature_strategies: {
    id: string;
    feature_name: string;
    environment: string;
    name: string;
    title: string | null;
    disabled: number;
    sort_order: number;
    parameters: string;
    constraints: string;
    variants: string;
    created_at: number;
  };
  /** A flag depends on at most one parent; `variants` is an array of names. */
  feature_dependencies: { child: string; parent: string; enabled: number; variants: string };
  tag_types: { name: string; description: string; icon: string | null; color: string | null; created_at: number };
  tags: { type: string; value: string; color: string | null };
  feature_tags: { feature_name: string; type: string; value: string };
}
