export interface DefaultStrategyTables {
  /** The strategy that a flag without strategies gets when it is switched on in an environment. */
  default_strategies: {
    project: string;
    environment: string;
    name: string;
    title: string | null;
    parameters: string;
    constraints: string;
    variants: string;
  };
  default_strategy_segments: { project: string; environment: string; segment_id: number };
  /** Context fields that the constraints of a default strategy use. */
  default_strategy_fields: { project: string; environment: string; field: string };
}
