import type { Generated } from 'kysely';

export interface SegmentTables {
  segments: {
    id: Generated<number>;
    name: string;
    description: string | null;
    /** Null for one that flags of every project may use. */
    project: string | null;
    constraints: string;
    created_by: string;
    created_at: number;
  };
  feature_strategy_segments: { strategy_id: string; segment_id: number };
}
