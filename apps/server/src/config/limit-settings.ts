import { type Settings, trueOrFalse, wholeNumber } from './setting-types.ts';

/** The limits of flags, segments and projects, and whether custom strategies may be created. */
export const limitSettings = {
  featureLimit: {
    names: ['UNLEASH_FEATURE_FLAGS_LIMIT'],
    value: wholeNumber(1, 1e6).default(5000),
    meaning: 'Flags of the instance.',
  },
  strategyLimit: {
    names: ['UNLEASH_FEATURE_ENVIRONMENT_STRATEGIES_LIMIT'],
    value: wholeNumber(1, 1000).default(30),
    meaning: 'Strategies of a flag in one environment.',
  },
  holdLimit: {
    names: ['YARDARM_FEATURE_ENVIRONMENT_LEASES_LIMIT'],
    value: wholeNumber(1, 10_000).default(100),
    meaning: 'Largest number of holds on a flag in one environment at the same time.',
  },
  constraintLimit: {
    names: ['UNLEASH_CONSTRAINTS_LIMIT'],
    value: wholeNumber(1, 1000).default(30),
    meaning: 'Constraints of one strategy or segment.',
  },
  constraintValuesLimit: {
    names: ['UNLEASH_CONSTRAINT_VALUES_LIMIT'],
    value: wholeNumber(1, 100_000).default(250),
    meaning: 'Values of one constraint of a strategy.',
  },
  strategySegmentsLimit: {
    names: ['UNLEASH_STRATEGY_SEGMENTS_LIMIT'],
    value: wholeNumber(0, 1000).default(5),
    meaning: 'Segments of one strategy.',
  },
  releaseTemplateLimit: {
    names: ['UNLEASH_RELEASE_TEMPLATES_LIMIT'],
    value: wholeNumber(0, 1000).default(100),
    meaning: 'Release templates of the instance, without archived ones.',
  },
  segmentLimit: {
    names: ['UNLEASH_SEGMENTS_LIMIT'],
    value: wholeNumber(0, 1e6).default(300),
    meaning: 'Segments of the instance.',
  },
  segmentValuesLimit: {
    names: ['UNLEASH_SEGMENT_VALUES_LIMIT'],
    value: wholeNumber(1, 100_000).default(1000),
    meaning: 'Values of all constraints of one segment together.',
  },
  disableCustomStrategyCreation: {
    names: ['UNLEASH_DISABLE_CUSTOM_STRATEGY_CREATION'],
    value: trueOrFalse.default(false),
    meaning: 'Do not allow custom strategies to be created.',
  },
  disableCustomStrategyEditing: {
    names: ['UNLEASH_DISABLE_CUSTOM_STRATEGY_EDITING'],
    value: trueOrFalse.default(false),
    meaning: 'Do not allow custom strategies to be changed or deleted.',
  },
  projectLimit: {
    names: ['UNLEASH_PROJECTS_LIMIT'],
    value: wholeNumber(1, 1e6).default(500),
    meaning: 'Projects of the instance.',
  },
  environmentLimit: {
    names: ['UNLEASH_ENVIRONMENTS_LIMIT'],
    value: wholeNumber(1, 10_000).default(50),
    meaning: 'Environments of the instance.',
  },
  apiTokenLimit: {
    names: ['UNLEASH_API_TOKENS_LIMIT'],
    value: wholeNumber(0, 1e6).default(2000),
    meaning: 'API tokens of the instance.',
  },
} satisfies Settings;
