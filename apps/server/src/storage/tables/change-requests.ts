import type { Generated } from 'kysely';

interface Done {
  created_by_user_id: number;
  created_by: string;
  created_at: number;
}

export interface ChangeRequestTables {
  /** Environments that require change requests. An environment without a row is changed directly. */
  change_request_environments: { project: string; environment: string; required_approvals: number };
  change_requests: Done & {
    id: Generated<number>;
    project: string;
    environment: string;
    state: string;
    title: string | null;
    /** JSON: the time at which each state was entered. */
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
    /**
     * The object that is changed, such as `segment 7` or `dependency checkout`: changes of one object have the same
     * value.
     */
    target: string;
    /** JSON: the body that the request for the direct change would have. */
    payload: string;
    /**
     * JSON: the object when the change was requested, with which conflicts are detected; null when the change cannot
     * conflict. After the change is applied: the object that the change replaced.
     */
    base: string | null;
  };
  change_request_reviews: Done & { request_id: number; approved: number };
  change_request_comments: Done & { id: Generated<number>; request_id: number; text: string };
  /** Changes that bypassed review with break-glass. */
  break_glass_uses: Done & {
    id: Generated<number>;
    project: string;
    /** JSON: names of the environments where review was bypassed. */
    environments: string;
    reason: string;
    /** JSON: the changes, from their events. */
    changes: string;
    acknowledged_by_user_id: number | null;
    acknowledged_by: string | null;
    acknowledged_at: number | null;
  };
  change_request_approvers: { request_id: number; user_id: number };
}
