import { type Settings, wholeNumber } from './setting-types.ts';

/** The limits of event searches: rows, time and concurrency. */
export const eventSearchSettings = {
  eventSearchRows: {
    names: ['YARDARM_EVENT_SEARCH_ROWS'],
    value: wholeNumber(1000, 1e9).default(200_000),
    meaning:
      'Rows that an event search reads before it answers with the results so far and a cursor. An event whose text is searched counts as two rows, or as eight when a filter selects it.',
  },
  eventSearchTimeoutMs: {
    names: ['YARDARM_EVENT_SEARCH_TIMEOUT_MS'],
    value: wholeNumber(100, 60_000).default(2000),
    meaning: 'Milliseconds after which an event search answers with the results so far and a cursor.',
  },
  eventSearchQueue: {
    names: ['YARDARM_EVENT_SEARCH_QUEUE'],
    value: wholeNumber(1, 10_000).default(50),
    meaning: 'Highest number of running and waiting event searches of a process. Further searches get 503.',
  },
} satisfies Settings;
