export interface ContextFieldTables {
  context_fields: {
    name: string;
    description: string | null;
    stickiness: number;
    sort_order: number;
    legal_values: string;
    /** Null for one of all projects. */
    project: string | null;
    /** Null for those that are there from the start. */
    created_at: number | null;
  };
  /** Names that the constraints of a strategy ask about. */
  feature_strategy_fields: {
    strategy_id: string;
    field: string;
    strategy_name: string;
    feature_name: string;
    project: string;
    environment: string;
  };
  /** Names that the constraints of a segment ask about. */
  segment_fields: { segment_id: number; field: string };
}
