import { type Settings, trueOrFalse, wholeNumber } from './setting-types.ts';

/** The limits of signals and actions, the retention of signals, and the switch of the loop probe. */
export const signalSettings = {
  signalRatePerSecond: {
    names: ['SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND'],
    value: wholeNumber(0, 1e6).default(1),
    meaning: 'Signals per second from one token; 0 turns the limit off.',
  },
  signalBurst: {
    names: ['SIGNAL_ENDPOINT_BURST'],
    value: wholeNumber(0, 1e6).default(0),
    meaning: 'Signals that a token may send above its rate within ten seconds.',
  },
  signalMaxBodyBytes: {
    names: ['SIGNAL_ENDPOINT_MAX_BODY_BYTES'],
    value: wholeNumber(1, 104_857_600).default(102_400),
    meaning: 'Size limit of a signal, in bytes as sent.',
  },
  signalEndpointsLimit: {
    names: ['UNLEASH_SIGNAL_ENDPOINTS_LIMIT'],
    value: wholeNumber(0, 1e6).default(5),
    meaning: 'Signal endpoints of the instance.',
  },
  signalTokensLimit: {
    names: ['UNLEASH_SIGNAL_TOKENS_PER_ENDPOINT_LIMIT'],
    value: wholeNumber(0, 1e6).default(5),
    meaning: 'Tokens of one signal endpoint.',
  },
  actionSetsLimit: {
    names: ['UNLEASH_ACTION_SETS_PER_PROJECT_LIMIT'],
    value: wholeNumber(0, 1e6).default(5),
    meaning: 'Sets of actions of one project.',
  },
  actionSetActionsLimit: {
    names: ['UNLEASH_ACTION_SET_ACTIONS_LIMIT'],
    value: wholeNumber(0, 1e6).default(10),
    meaning: 'Actions of one set.',
  },
  actionBreakerFlags: {
    names: ['YARDARM_ACTION_SET_BREAKER_FLAGS'],
    value: wholeNumber(0, 1e6).default(50),
    meaning:
      'Flags that one set of actions may begin to hold within `YARDARM_ACTION_SET_BREAKER_MINUTES`, unless the set has a limit of its own; further holds wait for a person. 0 lifts the limit.',
  },
  actionBreakerMinutes: {
    names: ['YARDARM_ACTION_SET_BREAKER_MINUTES'],
    value: wholeNumber(1, 1440).default(10),
    meaning: 'Minutes in which these flags are counted.',
  },
  actionSetFiltersLimit: {
    names: ['UNLEASH_ACTION_SET_FILTERS_LIMIT'],
    value: wholeNumber(0, 1e6).default(5),
    meaning: 'Filters of one set of actions, and of the expected signal of an endpoint.',
  },
  actionSetFilterValuesLimit: {
    names: ['UNLEASH_ACTION_SET_FILTER_VALUES_LIMIT'],
    value: wholeNumber(0, 1e6).default(25),
    meaning: 'Distinct values of one of these filters.',
  },
  signalRetentionDays: {
    names: ['YARDARM_SIGNAL_RETENTION_DAYS'],
    value: wholeNumber(0, 36_500).default(90),
    meaning: 'Days to keep signals; 0 keeps them for ever.',
  },
  reminderMinutes: {
    names: ['YARDARM_REMINDER_MINUTES'],
    value: wholeNumber(0, 1440).default(15),
    meaning:
      'Minutes until integrations send one reminder of an unacknowledged hold, waiting run, halted plan or alert; 0 turns it off.',
  },
  loopProbe: {
    names: ['YARDARM_LOOP_PROBE'],
    value: trueOrFalse.default(true),
    meaning:
      'Send a probe from ingest through matching to a stream each minute, and show on Now and in the metrics whether it comes through. It leaves no signal, event or run.',
  },
} satisfies Settings;
