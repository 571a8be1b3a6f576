import { type SharedBytes, shareBytes } from './event-stream.ts';

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

const lineEnd = Buffer.from('\n\n');

/** Encodes a server-sent event. Line ends in JSON are white space; each of them begins a new `data` line. */
export function message(event: string, id: string, data: Buffer): SharedBytes {
  const head = Buffer.from(`id: ${id}\nevent: ${event}\ndata: `);
  const isOneLine = !data.includes(0x0a) && !data.includes(0x0d);
  const lines = isOneLine ? data : Buffer.from(data.toString().replace(/\r\n|\r|\n/g, '\ndata: '));
  return shareBytes([head, lines, lineEnd]);
}
