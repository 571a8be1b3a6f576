import { integer } from './setting-types.ts';

/** The limits of signals and actions, and the retention of signals. */
export const signalSettings = {
  signalRatePerSecond: integer({
    names: ['SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND'],
    default: 1,
    min: 0,
    max: 1e6,
    meaning: 'Signals per second from one token; 0 turns the limit off.',
  }),
  signalBurst: integer({
    names: ['SIGNAL_ENDPOINT_BURST'],
    default: 0,
    min: 0,
    max: 1e6,
    meaning: 'Signals that a token may send above its rate within ten seconds.',
  }),
  signalMaxBodyBytes: integer({
    names: ['SIGNAL_ENDPOINT_MAX_BODY_BYTES'],
    default: 102_400,
    min: 1,
    max: 104_857_600,
    meaning: 'Size limit of a signal, in bytes as sent.',
  }),
  signalEndpointsLimit: integer({
    names: ['UNLEASH_SIGNAL_ENDPOINTS_LIMIT'],
    default: 5,
    min: 0,
    max: 1e6,
    meaning: 'Signal endpoints of the instance.',
  }),
  signalTokensLimit: integer({
    names: ['UNLEASH_SIGNAL_TOKENS_PER_ENDPOINT_LIMIT'],
    default: 5,
    min: 0,
    max: 1e6,
    meaning: 'Tokens of one signal endpoint.',
  }),
  actionSetsLimit: integer({
    names: ['UNLEASH_ACTION_SETS_PER_PROJECT_LIMIT'],
    default: 5,
    min: 0,
    max: 1e6,
    meaning: 'Sets of actions of one project.',
  }),
  actionSetActionsLimit: integer({
    names: ['UNLEASH_ACTION_SET_ACTIONS_LIMIT'],
    default: 10,
    min: 0,
    max: 1e6,
    meaning: 'Actions of one set.',
  }),
  actionSetFiltersLimit: integer({
    names: ['UNLEASH_ACTION_SET_FILTERS_LIMIT'],
    default: 5,
    min: 0,
    max: 1e6,
    meaning: 'Filters of one set of actions.',
  }),
  actionSetFilterValuesLimit: integer({
    names: ['UNLEASH_ACTION_SET_FILTER_VALUES_LIMIT'],
    default: 25,
    min: 0,
    max: 1e6,
    meaning: 'Distinct values of one filter of a set of actions.',
  }),
  signalRetentionDays: integer({
    names: ['YARDARM_SIGNAL_RETENTION_DAYS'],
    default: 90,
    min: 0,
    max: 36_500,
    meaning: 'Days to keep signals; 0 keeps them for ever.',
  }),
} as const;
