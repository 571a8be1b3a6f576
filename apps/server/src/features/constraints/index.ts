export {
  type Constraint,
  type ConstraintLimits,
  checkConstraint,
  checkConstraints,
  contextNamesOf,
} from './constraint.ts';
export { checkPatternSizes } from './pattern-sizes.ts';
export { storedConstraints } from './stored-constraints.ts';
