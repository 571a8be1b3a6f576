import type { Generated } from 'kysely';

export interface SegmentTables {
  segments: {
    id: Generated<number>;
    name: string;
    description: string | null;
    /** The project that the segment belongs to; null for a segment that all projects can use. */
    project: string | null;
    constraints: string;
    created_by: string;
    created_at: number;
  };
  feature_strategy_segments: { strategy_id: string; segment_id: number };
}
