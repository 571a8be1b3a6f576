/** A recorded change whose status or event types differ from Unleash 8.2, with the reason. */
export interface WriteDifference {
  /** Index in tests/unleash/write-calls.json. */
  readonly index: number;
  /** Method and path below `/api/admin`. */
  readonly call: string;
  /** The status in Yardarm, if it differs. */
  readonly status?: number;
  /** The types of the events in Yardarm, if they differ. */
  readonly events?: readonly string[];
  readonly why: string;
}

const nothingChanged = 'A change that changes nothing records no event.';
const newTag = 'Tagging with a new tag creates the tag, which is an event.';
const recorded = 'Every change of data is recorded.';
const typingError = 'So that typing errors show.';

export const writeDifferences: readonly WriteDifference[] = [
  {
    index: 13,
    call: 'PATCH /projects/default/features/shape-a',
    events: ['feature-stale-on'],
    why: 'Only `stale` changes, so only its event is recorded.',
  },
  { index: 22, call: 'POST /features/shape-a/tags', events: ['tag-created', 'feature-tagged'], why: newTag },
  { index: 23, call: 'POST /features/shape-a/tags', events: [], why: nothingChanged },
  {
    index: 25,
    call: 'PUT /features/shape-a/tags',
    events: ['tag-created', 'feature-tagged', 'feature-untagged'],
    why: newTag,
  },
  { index: 27, call: 'DELETE /features/shape-a/tags/simple/none', status: 404, events: [], why: typingError },
  {
    index: 34,
    call: 'DELETE /projects/default/features/shape-c/dependencies',
    status: 200,
    why: 'The flag has no dependencies afterwards, as requested.',
  },
  { index: 44, call: 'DELETE /archive/shape-nope', status: 404, why: typingError },
  { index: 59, call: 'POST /segments/strategies', events: ['feature-strategy-update'], why: recorded },
  { index: 92, call: 'POST /environments/production/off', events: ['environment-updated'], why: recorded },
  { index: 93, call: 'POST /environments/production/on', events: ['environment-updated'], why: recorded },
  {
    index: 96,
    call: 'POST /projects/default/environments/development/default-strategy',
    events: ['default-strategy-updated'],
    why: recorded,
  },
  { index: 97, call: 'PUT /feature-types/operational/lifetime', events: ['feature-type-updated'], why: recorded },
  {
    index: 98,
    call: 'POST /ui-config/cors',
    events: ['setting-created'],
    why: 'The setting is saved for the first time. Unleash stores a default.',
  },
  {
    index: 100,
    call: 'POST /maintenance',
    events: ['setting-created'],
    why: 'The setting is saved for the first time. Unleash stores a default.',
  },
];

/** Keys of event data that Unleash 8.2 has and Yardarm lacks, with the reason. */
export interface EventDifference {
  readonly types: readonly string[];
  readonly keys: readonly string[];
  readonly why: string;
}

export const eventDifferences: readonly EventDifference[] = [
  {
    types: ['api-token-created', 'api-token-updated', 'api-token-deleted'],
    keys: ['alias', 'secure', 'seenAt'],
    why: 'No token has an alias, an event never holds a secret, and the use of a token is not a change.',
  },
];
