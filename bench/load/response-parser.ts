import { MalformedAnswer, parseHead, type ResponseHead } from './response-head.ts';

/** One complete answer. */
export interface Answer {
  readonly status: number;
  /** Bytes of the body without its chunking; 0 for an answer that has none. */
  readonly bodyBytes: number;
  /** False when the server is about to close the connection. */
  readonly keepAlive: boolean;
}

type State = 'head' | 'sized' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'done';

const maxHeadLength = 64 * 1024;
const maxLineLength = 8 * 1024;
/** Bytes decoded at a time while looking for the end of the head: most heads fit, and a large body stays undecoded. */
const headPiece = 2048;

/**
 * Reads HTTP/1.1 answers, one at a time (RFC 9112 sections 6 and 7): sized, chunked and until-close bodies, answers
 * without a body (HEAD, 204, 304), interim answers (1xx, skipped). Bytes may arrive in any fragments.
 */
export class ResponseParser {
  /** Called with each piece of body; the bytes are valid only during the call. */
  onBody: ((piece: Buffer) => void) | undefined;
  #state: State = 'done';
  #method = '';
  #head: ResponseHead | undefined;
  #text = '';
  #remaining = 0;
  #bodyBytes = 0;

  /** Prepares for the answer to a request with this method. */
  begin(method: string): void {
    this.#state = 'head';
    this.#method = method;
    this.#text = '';
    this.#bodyBytes = 0;
  }

  /**
   * Takes the next bytes and returns the answer once it is complete. Throws MalformedAnswer, also for bytes after the
   * answer.
   */
  feed(bytes: Buffer): Answer | undefined {
    let at = 0;
    while (at < bytes.length && this.#state !== 'done') at = this.#read(bytes, at);
    if (this.#state !== 'done') return undefined;
    if (at < bytes.length) throw new MalformedAnswer('bytes that belong to no request');
    return this.#answer();
  }

  /** Handles the end of the stream: returns the answer if the end completes it, or undefined if it is cut off. */
  end(): Answer | undefined {
    if (this.#state !== 'until-close') return undefined;
    this.#state = 'done';
    return this.#answer();
  }

  #answer(): Answer {
    return {
      status: this.#head?.status ?? 0,
      bodyBytes: this.#bodyBytes,
      keepAlive: this.#head?.keepAlive ?? false,
    };
  }

  /** Consumes bytes from `at` on and returns the position of the first unread byte. */
  #read(bytes: Buffer, at: number): number {
    if (this.#state === 'head') return this.#readHead(bytes, at);
    if (this.#state === 'sized' || this.#state === 'chunk' || this.#state === 'until-close')
      return this.#readBody(bytes, at);
    return this.#readLine(bytes, at);
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#text.length;
    const text = this.#text + bytes.toString('latin1', at, Math.min(bytes.length, at + headPiece));
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) {
      if (text.length > maxHeadLength) throw new MalformedAnswer('head too long');
      this.#text = text;
      return at + text.length - before;
    }
    this.#text = '';
    const head = parseHead(text.slice(0, end), this.#method);
    if (head.status === 101) throw new MalformedAnswer('switches to a protocol that was not requested');
    if (head.status >= 200) this.#startBody(head);
    return at + end + 4 - before;
  }

  #startBody(head: ResponseHead): void {
    this.#head = head;
    if (typeof head.framing === 'number') {
      this.#remaining = head.framing;
      this.#state = head.framing === 0 ? 'done' : 'sized';
    } else if (head.framing === 'chunked') {
      this.#state = 'chunk-size';
    } else {
      this.#remaining = Number.POSITIVE_INFINITY;
      this.#state = 'until-close';
    }
  }

  #readBody(bytes: Buffer, at: number): number {
    const taken = Math.min(this.#remaining, bytes.length - at);
    this.onBody?.(bytes.subarray(at, at + taken));
    this.#bodyBytes += taken;
    this.#remaining -= taken;
    if (this.#remaining === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'done';
    return at + taken;
  }

  #readLine(bytes: Buffer, at: number): number {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    this.#text += bytes.toString('latin1', at, end);
    if (this.#text.length > maxLineLength) throw new MalformedAnswer('line too long');
    if (newline >= 0) {
      if (!this.#text.endsWith('\r\n')) throw new MalformedAnswer('a line without its carriage return');
      const line = this.#text.slice(0, -2);
      this.#text = '';
      this.#takeLine(line);
    }
    return end;
  }

  #takeLine(line: string): void {
    if (this.#state === 'chunk-size') {
      const size = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
      if (size === undefined) throw new MalformedAnswer(`not a chunk size: ${JSON.stringify(line.slice(0, 80))}`);
      this.#remaining = Number.parseInt(size, 16);
      this.#state = this.#remaining === 0 ? 'trailer' : 'chunk';
    } else if (this.#state === 'chunk-end') {
      if (line !== '') throw new MalformedAnswer('a chunk longer than its size');
      this.#state = 'chunk-size';
    } else if (line === '') {
      this.#state = 'done';
    }
  }
}
