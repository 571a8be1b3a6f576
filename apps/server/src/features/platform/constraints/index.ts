export {
  type Constraint,
  type ConstraintInput,
  type ConstraintLimits,
  checkConstraint,
  checkConstraints,
  checkFilterValues,
  contextNamesOf,
  faultOf,
} from './constraint.ts';
export { checkPatternSizes } from './pattern-sizes.ts';
export { regexProblem } from './regex.ts';
export { storedConstraints } from './stored-constraints.ts';
