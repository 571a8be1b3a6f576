/** A strategy that flags can use: what SDKs know by its name. */
export interface StrategyType {
  readonly name: string;
  readonly title: string | null;
  /** What people read in place of the name, of one that every SDK knows. */
  readonly displayName: string | null;
  readonly description: string;
  /** Whether it was created here. What every SDK knows cannot be changed. */
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

export interface DefinitionChange {
  readonly description?: string | undefined;
  readonly parameters: readonly StrategyParameter[];
}

export interface DefinitionInput extends DefinitionChange {
  readonly name: string;
  readonly title?: string | null | undefined;
  readonly deprecated?: boolean | undefined;
}

/** A strategy as it is when it has just been created. */
export function newDefinition({ name, title, description, deprecated, parameters }: DefinitionInput): StrategyType {
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

/** A strategy as the event log keeps it. */
export function definitionEventData(definition: StrategyType): Record<string, unknown> {
  const { name, title, description, editable, deprecated, parameters } = definition;
  return { name, title, description, editable, deprecated, parameters };
}
