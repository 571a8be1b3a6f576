import type { TokensInMemory } from '#features/people/api-tokens/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { affectsDeltas, type Snapshot } from '#features/sdks/sdk/index.ts';
import { formatPosition } from '#http/if-none-match.ts';
import { type Message, message, type View } from '#http/stream-view.ts';
import type { Streams } from '#http/streams.ts';
import type { ChangeFeed } from '#storage/change-feed.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { stateMessage, updateMessage } from './messages.ts';
import type { ReplicaScope } from './scope.ts';

export interface PublisherOptions {
  readonly feed: Pick<ChangeFeed, 'subscribe' | 'seen'>;
  readonly snapshot: Snapshot;
  readonly tokens: Pick<TokensInMemory, 'all' | 'loaded'>;
  readonly frontendApiOrigins: () => readonly string[];
  readonly streams: Streams;
  /** The version of Yardarm. */
  readonly version: string;
}

/** The parts of a replica's state beside flags and segments, by the event that changed them last. */
const besideFlags = {
  tokens: (event: EventRow) => touches(event, 'api-tokens'),
  settings: (event: EventRow) => touches(event, 'settings'),
  endStreams: ({ type }: EventRow) => type === 'streams-ended',
};
type Beside = keyof typeof besideFlags;

/**
 * Sends the state to replicas, and then each change. Replicas with the same scope share the bytes. It follows the
 * change feed after the snapshot, so that the snapshot has an event before replicas get it.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  #revision: number;
  readonly #last: Record<Beside, number> = { tokens: 0, settings: 0, endStreams: 0 };

  constructor(options: PublisherOptions) {
    this.#options = options;
    const { feed, streams } = options;
    this.#revision = feed.seen;
    feed.subscribe({
      events: (events) => {
        for (const event of events) this.#note(event);
        streams.invalidate(null);
        if (events.some(besideFlags.tokens)) streams.recheck();
      },
      reset: ({ id }) => {
        this.#revision = id;
        streams.sendAllAnew();
        streams.recheck();
      },
    });
  }

  /** The last event that concerns replicas. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the view of the stream of replicas with a scope. */
  view(scope: ReplicaScope): View {
    return {
      key: scope.key,
      environment: null,
      revision: () => this.#revision,
      first: (last) => this.#build(scope, last),
      next: (since) => this.#build(scope, since),
    };
  }

  #note(event: EventRow): void {
    const parts = (Object.keys(besideFlags) as Beside[]).filter((part) => besideFlags[part](event));
    for (const part of parts) this.#last[part] = event.id;
    if (parts.length > 0 || affectsDeltas(event)) this.#revision = event.id;
  }

  /**
   * Builds the changes after an event, or the state for a new replica and when the changes are not known. Once the
   * tokens are in memory, everything is read in one turn of the event loop, so that it is of one position in the log.
   */
  async #build(scope: ReplicaScope, since: number | undefined): Promise<Message> {
    const { snapshot, version, tokens, frontendApiOrigins: origins } = this.#options;
    while (tokens.all === undefined) await tokens.loaded;
    const id = this.#revision;
    const all = { tokens: tokens.all, frontendApiOrigins: origins() };
    const batches = since === undefined ? undefined : batchesSince(snapshot, since);
    if (since === undefined || batches === undefined) {
      const bytes = await stateMessage(snapshot, scope, all, { id, version });
      return this.#message('state', id, bytes, since !== undefined);
    }
    // The log of changes is all that is known of the time before the start of this process.
    const isChanged = (part: Beside) => this.#last[part] > since || since < snapshot.changes.start;
    const beside = {
      ...(isChanged('tokens') ? { tokens: all.tokens } : {}),
      ...(isChanged('settings') ? { frontendApiOrigins: all.frontendApiOrigins } : {}),
    };
    const ended = this.#last.endStreams > since ? { endStreams: true as const } : {};
    return this.#message('update', id, await updateMessage(snapshot, scope, batches, { id, beside, ...ended }), false);
  }

  #message(event: 'state' | 'update', id: number, data: Buffer, isRehydration: boolean): Message {
    const position = formatPosition({ id, epoch: this.#options.snapshot.epoch });
    return { revision: id, bytes: message(event, position, data), isRehydration };
  }
}

/** Returns the changes after an event, by commit; undefined when they are not known. */
function batchesSince({ changes }: Snapshot, since: number) {
  const atStart = Math.max(0, ...changes.revisionsAtStart.newest.map(({ id }) => id));
  return changes.batchesAfter(since < changes.start && since >= atStart ? changes.start : since);
}
