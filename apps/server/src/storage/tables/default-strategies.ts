export interface DefaultStrategyTables {
  /** What a flag of a project gets when it is switched on in an environment without a strategy of its own. */
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
  /** Names that its constraints ask about. */
  default_strategy_fields: { project: string; environment: string; field: string };
}
