export interface ContextFieldTables {
  context_fields: {
    name: string;
    description: string | null;
    stickiness: number;
    sort_order: number;
    legal_values: string;
    /** Null for a field of all projects. */
    project: string | null;
    /** Null for built-in fields. */
    created_at: number | null;
  };
  /** Context fields that the constraints of a strategy use. */
  feature_strategy_fields: {
    strategy_id: string;
    field: string;
    strategy_name: string;
    feature_name: string;
    project: string;
    environment: string;
  };
  /** Context fields that the constraints of a segment use. */
  segment_fields: { segment_id: number; field: string };
}
