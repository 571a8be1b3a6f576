import { integer } from './setting-types.ts';

/** The limits of event searches: rows, time and concurrency. */
export const eventSearchSettings = {
  eventSearchRows: integer({
    names: ['YARDARM_EVENT_SEARCH_ROWS'],
    default: 200_000,
    min: 1000,
    max: 1e9,
    meaning:
      'Rows that an event search reads before it answers with the results so far and a cursor. An event whose text is searched counts as two rows, or as eight when a filter selects it.',
  }),
  eventSearchTimeoutMs: integer({
    names: ['YARDARM_EVENT_SEARCH_TIMEOUT_MS'],
    default: 2000,
    min: 100,
    max: 60_000,
    meaning: 'Milliseconds after which an event search answers with the results so far and a cursor.',
  }),
  eventSearchQueue: integer({
    names: ['YARDARM_EVENT_SEARCH_QUEUE'],
    default: 50,
    min: 1,
    max: 10_000,
    meaning: 'Highest number of running and waiting event searches of a process. Further searches get 503.',
  }),
} as const;
