import type { Generated } from 'kysely';

export interface SegmentTables {
  segments: {
    id: Generated<number>;
    name: string;
    description: string | null;
    /** Null for a segment of all projects. */
    project: string | null;
    constraints: string;
    created_by: string;
    created_at: number;
  };
  feature_strategy_segments: { strategy_id: string; segment_id: number };
}
