import {
  type AnswerCache,
  type CachedAnswer,
  type Delta,
  deltaSince,
  type FeatureQuery,
  type Snapshot,
} from '#features/sdks/sdk/index.ts';
import { type SharedBytes, shareBytes } from '#http/event-stream.ts';
import { deltaEtag, formatPosition } from '#http/if-none-match.ts';

/** An encoded message of a stream. */
export interface Message {
  /** The revision that a reader has after this message. */
  readonly revision: number;
  readonly bytes: SharedBytes;
  /** Whether the message has all flags because the changes are no longer in the change log. */
  readonly isRehydration: boolean;
}

/** The content of a stream. Streams whose views have the same key share their messages. */
export interface View {
  readonly key: string;
  /** The environment whose changes the view shows; null for a view that every change may concern. */
  readonly environment: string | null;
  /** The heartbeat in place of a comment, for readers that check whether the stream is alive. */
  readonly heartbeat?: SharedBytes;
  /** The current revision. */
  revision(): number;
  /** Returns the first message of a stream; `lastRevision` is given when a reader reconnects. Null for no message. */
  first(lastRevision: number | undefined): Message | null | Promise<Message | null>;
  /**
   * Returns the message that brings a reader from the revision `since` to the current one, or a part of the way; null
   * when nothing has changed for the reader.
   */
  next(since: number): Message | null | Promise<Message | null>;
}

/** Returns the view of the SDK stream (docs/spec#streaming): first all flags, then deltas. */
export function flagView(snapshot: Snapshot, hydrations: AnswerCache, query: FeatureQuery): View {
  const { environment } = query;
  const idOf = (id: number) => formatPosition({ id, epoch: snapshot.epoch });
  const since = (id: number) => deltaSince(snapshot, query, { id, epoch: snapshot.epoch });
  const fullMessage = (event: string, isRehydration: boolean) => {
    const answer = hydrations.answer(query, undefined);
    const framed = ({ position, bytes }: Pick<CachedAnswer, 'position' | 'bytes'>) => ({
      revision: position.id,
      bytes: message(event, formatPosition(position), bytes),
      isRehydration,
    });
    return answer instanceof Promise ? answer.then(framed) : framed(answer);
  };
  const deltaMessage = (event: string, { revision, json }: Delta) => ({
    // Changes after the delta's last event do not affect this query.
    revision: Math.max(revision, snapshot.revision(environment)),
    bytes: message(event, idOf(revision), Buffer.from(`{"events":${json}}`)),
    isRehydration: false,
  });
  return {
    key: `flags ${query.json}`,
    environment,
    revision: () => snapshot.revision(environment),
    first: (lastRevision) => {
      const delta = lastRevision === undefined ? undefined : since(lastRevision);
      if (delta === undefined) return fullMessage('unleash-connected', lastRevision !== undefined);
      return deltaMessage('unleash-connected', delta ?? { revision: lastRevision as number, json: '[]' });
    },
    next: (revision) => {
      const delta = since(revision);
      if (delta === undefined) return fullMessage('unleash-updated', true);
      return delta && deltaMessage('unleash-updated', delta);
    },
  };
}

/**
 * Returns the view of the OFREP event stream: messages tell a provider to evaluate again (OFREP 0.3, event streams).
 */
export function refetchView(snapshot: Snapshot, query: FeatureQuery): View {
  const { environment } = query;
  const refetchMessage = (since: number) => {
    if (deltaSince(snapshot, query, { id: since, epoch: snapshot.epoch }) === null) return null;
    const position = snapshot.position(environment);
    const data = Buffer.from(JSON.stringify({ type: 'refetchEvaluation', etag: deltaEtag(position) }));
    return { revision: position.id, bytes: message('message', formatPosition(position), data), isRehydration: false };
  };
  return {
    key: `notices ${query.json}`,
    environment,
    revision: () => snapshot.revision(environment),
    first: (lastRevision) => (lastRevision === undefined ? null : refetchMessage(lastRevision)),
    next: refetchMessage,
  };
}

const lineEnd = Buffer.from('\n\n');

/** Encodes a server-sent event. Line ends in JSON are white space; each of them begins a new `data` line. */
export function message(event: string, id: string, data: Buffer): SharedBytes {
  const head = Buffer.from(`id: ${id}\nevent: ${event}\ndata: `);
  const isOneLine = !data.includes(0x0a) && !data.includes(0x0d);
  const lines = isOneLine ? data : Buffer.from(data.toString().replace(/\r\n|\r|\n/g, '\ndata: '));
  return shareBytes([head, lines, lineEnd]);
}
