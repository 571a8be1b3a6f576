import { type Settings, wholeNumber } from './setting-types.ts';

function days(fallback: number) {
  return wholeNumber(0, 36_500).default(fallback);
}

/** The retention of events by class (docs/spec#event-retention). */
export const retentionSettings = {
  eventRetentionChangesDays: {
    names: ['YARDARM_EVENT_RETENTION_CHANGES_DAYS'],
    value: days(0),
    meaning:
      'Days to keep the events of changes, and the runs that caused them; 0 keeps them for ever. The newest event of each type and environment is always kept.',
  },
  eventRetentionSignInDays: {
    names: ['YARDARM_EVENT_RETENTION_SIGN_IN_DAYS'],
    value: days(400),
    meaning: 'Days to keep the events of logins, failed logins, logouts and ended sessions; 0 keeps them for ever.',
  },
  eventRetentionRefusalsDays: {
    names: ['YARDARM_EVENT_RETENTION_REFUSALS_DAYS'],
    value: days(400),
    meaning: 'Days to keep the events of refused changes; 0 keeps them for ever.',
  },
  eventRetentionOperationsDays: {
    names: ['YARDARM_EVENT_RETENTION_OPERATIONS_DAYS'],
    value: days(400),
    meaning: 'Days to keep the events of the server, such as its starts and backups; 0 keeps them for ever.',
  },
} satisfies Settings;
