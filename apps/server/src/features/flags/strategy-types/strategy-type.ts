/** A strategy type: name and parameters of strategies that flags can use. SDKs implement it by name. */
export interface StrategyType {
  readonly name: string;
  readonly title: string | null;
  /** Label of a built-in strategy type; null for custom ones. */
  readonly displayName: string | null;
  readonly description: string;
  /** True for custom strategy types; built-in ones cannot be changed. */
  readonly editable: boolean;
  readonly deprecated: boolean;
  readonly parameters: readonly StrategyParameter[];
}

export interface StrategyParameter {
  readonly name: string;
  readonly type: 'string' | 'percentage' | 'list' | 'number' | 'boolean';
  readonly description: string;
  readonly required: boolean;
}

export interface StrategyTypeChange {
  readonly title?: string | null | undefined;
  readonly description?: string | undefined;
  readonly parameters: readonly StrategyParameter[];
}

export interface StrategyTypeInput extends StrategyTypeChange {
  readonly name: string;
  readonly deprecated?: boolean | undefined;
}

/** Returns a custom strategy type with defaults for absent fields. */
export function newStrategyType({ name, title, description, deprecated, parameters }: StrategyTypeInput): StrategyType {
  return {
    name,
    title: title ?? null,
    displayName: null,
    description: description ?? '',
    editable: true,
    deprecated: deprecated ?? false,
    parameters,
  };
}

/** Returns the event data of a strategy type. */
export function strategyTypeEventData(strategyType: StrategyType): Record<string, unknown> {
  const { name, title, description, editable, deprecated, parameters } = strategyType;
  return { name, title, description, editable, deprecated, parameters };
}
