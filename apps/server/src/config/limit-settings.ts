import { boolean, integer } from './setting-types.ts';

/** The limits of flags, segments and projects, and whether custom strategies may be created. */
export const limitSettings = {
  featureLimit: integer({
    names: ['UNLEASH_FEATURE_FLAGS_LIMIT'],
    default: 5000,
    min: 1,
    max: 1e6,
    meaning: 'Flags of the instance.',
  }),
  strategyLimit: integer({
    names: ['UNLEASH_FEATURE_ENVIRONMENT_STRATEGIES_LIMIT'],
    default: 30,
    min: 1,
    max: 1000,
    meaning: 'Strategies of a flag in one environment.',
  }),
  holdLimit: integer({
    names: ['YARDARM_FEATURE_ENVIRONMENT_LEASES_LIMIT'],
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Largest number of holds on a flag in one environment at the same time.',
  }),
  constraintLimit: integer({
    names: ['UNLEASH_CONSTRAINTS_LIMIT'],
    default: 30,
    min: 1,
    max: 1000,
    meaning: 'Constraints of one strategy or segment.',
  }),
  constraintValuesLimit: integer({
    names: ['UNLEASH_CONSTRAINT_VALUES_LIMIT'],
    default: 250,
    min: 1,
    max: 100_000,
    meaning: 'Values of one constraint of a strategy.',
  }),
  strategySegmentsLimit: integer({
    names: ['UNLEASH_STRATEGY_SEGMENTS_LIMIT'],
    default: 5,
    min: 0,
    max: 1000,
    meaning: 'Segments of one strategy.',
  }),
  segmentLimit: integer({
    names: ['UNLEASH_SEGMENTS_LIMIT'],
    default: 300,
    min: 0,
    max: 1e6,
    meaning: 'Segments of the instance.',
  }),
  segmentValuesLimit: integer({
    names: ['UNLEASH_SEGMENT_VALUES_LIMIT'],
    default: 1000,
    min: 1,
    max: 100_000,
    meaning: 'Values of all constraints of one segment together.',
  }),
  disableCustomStrategyCreation: boolean({
    names: ['UNLEASH_DISABLE_CUSTOM_STRATEGY_CREATION'],
    default: false,
    meaning: 'Do not allow custom strategies to be created.',
  }),
  disableCustomStrategyEditing: boolean({
    names: ['UNLEASH_DISABLE_CUSTOM_STRATEGY_EDITING'],
    default: false,
    meaning: 'Do not allow custom strategies to be changed or deleted.',
  }),
  projectLimit: integer({
    names: ['UNLEASH_PROJECTS_LIMIT'],
    default: 500,
    min: 1,
    max: 1e6,
    meaning: 'Projects of the instance.',
  }),
  environmentLimit: integer({
    names: ['UNLEASH_ENVIRONMENTS_LIMIT'],
    default: 50,
    min: 1,
    max: 10_000,
    meaning: 'Environments of the instance.',
  }),
  apiTokenLimit: integer({
    names: ['UNLEASH_API_TOKENS_LIMIT'],
    default: 2000,
    min: 0,
    max: 1e6,
    meaning: 'API tokens of the instance.',
  }),
};
