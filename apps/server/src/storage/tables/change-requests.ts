import type { Generated } from 'kysely';

interface Done {
  created_by_user_id: number;
  created_by: string;
  created_at: number;
}

export interface ChangeRequestTables {
  /** Where changes are reviewed before they are made; an environment without a row is changed directly. */
  change_request_environments: { project: string; environment: string; required_approvals: number };
  change_requests: Done & {
    id: Generated<number>;
    project: string;
    environment: string;
    state: string;
    title: string | null;
    /** JSON: when it came into each state that it was in. */
    timestamps: string;
    scheduled_at: number | null;
    schedule_status: string | null;
    schedule_reason: string | null;
    scheduled_by_user_id: number | null;
    scheduled_by: string | null;
  };
  change_request_changes: Done & {
    id: Generated<number>;
    request_id: number;
    action: string;
    feature_name: string | null;
    /** What it changes, in a word that other changes of the same have too. */
    target: string;
    /** JSON, as the direct call takes it. */
    payload: string;
    /** JSON of what it changes as that was then, or as it was replaced once it is applied; null where it does not matter. */
    base: string | null;
  };
  change_request_reviews: Done & { request_id: number; approved: number };
  change_request_comments: Done & { id: Generated<number>; request_id: number; text: string };
  /** Changes that bypassed review with break-glass; those that nobody has acknowledged are listed. */
  break_glass_uses: Done & {
    id: Generated<number>;
    project: string;
    /** JSON: names of the environments where review was bypassed. */
    environments: string;
    reason: string;
    /** JSON: what was changed, as events say. */
    changes: string;
    acknowledged_by_user_id: number | null;
    acknowledged_by: string | null;
    acknowledged_at: number | null;
  };
  change_request_approvers: { request_id: number; user_id: number };
}
