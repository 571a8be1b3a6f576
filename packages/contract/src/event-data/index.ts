import type { EventType } from '../event-types.ts';
import { changeRequestEvents } from './change-requests.ts';
import { configurationEvents } from './configuration.ts';
import { flagEvents } from './flags.ts';
import { operationEvents } from './operations.ts';
import { peopleEvents } from './people.ts';
import type { RecordedValues } from './recorded.ts';

/** The schemas of `data` and `preData` of each event type. A new event type does not compile without its schemas. */
export const eventData: Readonly<Record<EventType, RecordedValues>> = {
  ...flagEvents,
  ...configurationEvents,
  ...peopleEvents,
  ...changeRequestEvents,
  ...operationEvents,
};
