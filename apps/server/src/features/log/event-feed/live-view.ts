import { type SharedBytes, shareBytes } from '#http/event-stream.ts';
import { formatPosition } from '#http/if-none-match.ts';
import type { Message, View } from '#http/stream-view.ts';
import type { Db } from '#storage/tx.ts';
import { type FeedFilter, keyOf, matches } from './filter.ts';
import { readForward } from './read-forward.ts';
import { FeedEvent, type RecentEvents } from './recent-events.ts';

export interface LiveViewOptions {
  readonly db: Db;
  readonly recent: RecentEvents;
  readonly filter: FeedFilter;
  /** The name of the format, and the JSON text of an event in it. */
  readonly format: { readonly name: string; readonly toJson: (event: FeedEvent) => string };
}

/**
 * Returns the view of a stream of events: each message has the events since the reader's position. Readers with the
 * same filter, rights and format share their messages. The view is of the epoch of its first reader.
 */
export function liveView({ db, recent, filter, format }: LiveViewOptions): View {
  const { epoch } = recent;
  const messageOf = (events: readonly FeedEvent[], revision: number): Message => ({
    revision,
    bytes: encode(events, epoch, format.toJson),
    isRehydration: false,
  });
  const next = (since: number): Message | null | Promise<Message | null> => {
    const end = recent.newest;
    const added = recent.since(since);
    if (added === undefined) return read(since, end);
    const matching = added.filter(({ row }) => matches(filter, row));
    return matching.length === 0 ? null : messageOf(matching, end);
  };
  /** Returns the next events from the database: one part, so that a slow reader needs the memory of one part. */
  const read = async (since: number, end: number): Promise<Message | null> => {
    for await (const { rows, reached } of readForward(db, filter, since, end))
      if (rows.length > 0)
        return messageOf(
          rows.map((row) => new FeedEvent(row)),
          reached,
        );
    return null;
  };
  return {
    key: `${epoch} ${format.name} ${keyOf(filter)}`,
    environment: null,
    revision: () => recent.newest,
    first: (lastRevision = 0) => next(lastRevision),
    next,
  };
}

function encode(events: readonly FeedEvent[], epoch: string, toJson: LiveViewOptions['format']['toJson']): SharedBytes {
  const texts = events.map((event) => `id: ${formatPosition({ id: event.row.id, epoch })}\ndata: ${toJson(event)}\n\n`);
  return shareBytes([Buffer.from(texts.join(''))]);
}
