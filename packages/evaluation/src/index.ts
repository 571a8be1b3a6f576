export { type BudgetLimits, EvaluationBudget, usualBudget } from './budget.ts';
export { type CompiledConstraint, compileConstraint } from './constraint.ts';
export {
  type Circumstances,
  type EvaluationContext,
  type ReadyContext,
  readyContext,
  type SearchResult,
} from './context.ts';
export type {
  ClientDocument,
  Constraint,
  Dependency,
  Feature,
  Payload,
  Segment,
  Strategy,
  VariantDefinition,
} from './document.ts';
export {
  type ConstraintExplanation,
  explainStrategies,
  type FlagExplanation,
  type SegmentExplanation,
  type StrategyExplanation,
  type Verdict,
} from './explain.ts';
export { type CompiledFlag, compileFlag, type Evaluation } from './flag.ts';
export { compileDocument, FlagSet } from './flag-set.ts';
export { parseNetwork } from './ip-address.ts';
export {
  type FilterOperator,
  fitsField,
  type ListKind,
  type Operator,
  operatorNames,
  operators,
  type SingleKind,
  takesList,
  type ValueKind,
} from './operators.ts';
export { compilePattern, maxPatternSize } from './pattern.ts';
export { patternSize } from './pattern-size.ts';
export { compareVersions, parseVersion, type Version } from './semver.ts';
export { type CompiledSegment, type CompiledStrategy, compileSegment, compileStrategy } from './strategy.ts';
export { dateProblem, ipv6Networks, numberProblem, percentageProblem } from './values.ts';
export { noVariant, type Variant } from './variant.ts';
