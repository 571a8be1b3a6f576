export {
  type Constraint,
  type ConstraintLimits,
  checkConstraint,
  checkConstraints,
  checkFilterValues,
  contextNamesOf,
} from './constraint.ts';
export { checkPatternSizes } from './pattern-sizes.ts';
export { regexProblem } from './regex.ts';
export { storedConstraints } from './stored-constraints.ts';
