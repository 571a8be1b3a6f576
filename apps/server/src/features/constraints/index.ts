export {
  type Constraint,
  type ConstraintLimits,
  checkConstraint,
  checkConstraints,
  contextNamesOf,
} from './constraint.ts';
