import { integer } from './setting-types.ts';

/** How much a search of events may look at, how long it may take, and how many there may be at once. */
export const eventSearchSettings = {
  eventSearchRows: integer({
    names: ['YARDARM_EVENT_SEARCH_ROWS'],
    default: 200_000,
    min: 1000,
    max: 1e9,
    meaning:
      'Rows that one search of events looks at before it answers with what it has found and a cursor; an event whose text is looked through counts as two, or as eight where a filter leads to it.',
  }),
  eventSearchTimeoutMs: integer({
    names: ['YARDARM_EVENT_SEARCH_TIMEOUT_MS'],
    default: 2000,
    min: 100,
    max: 60_000,
    meaning: 'Milliseconds after which a search of events answers with what it has found and a cursor.',
  }),
  eventSearchQueue: integer({
    names: ['YARDARM_EVENT_SEARCH_QUEUE'],
    default: 50,
    min: 1,
    max: 10_000,
    meaning: 'Searches of events that a process has in hand at once, running or waiting; more are answered 503.',
  }),
} as const;
