import { hash } from 'node:crypto';
import { textAt } from '#kernel/payload-path.ts';
import type { ReadHeader } from '../signatures/index.ts';

/** A request from which the id of its delivery is read. */
export interface DeliveryRequest {
  readonly header: ReadHeader;
  readonly payload: unknown;
  /** The payload as JSON text. */
  readonly text: string;
}

/** A place in a request that can have the id of its delivery. */
export interface IdPlace {
  /** The place in words, in Markdown. */
  readonly words: string;
  /** Whether the id is a part of the payload, so that it says of itself which payloads are one delivery. */
  readonly isInPayload: boolean;
  /** Returns the id; undefined when the request has none there. */
  read(request: DeliveryRequest): string | undefined;
  /** Returns the id that version 0.9 read there, where it read another one. */
  readFormer?(request: DeliveryRequest): string | undefined;
}

/**
 * Where the requests of a source have the id that all attempts of one delivery share (docs/spec#repeated-deliveries).
 * `Idempotency-Key` and `webhook-id` count for every source, after `signed` and before `unsigned`.
 */
export interface DeliveryIds {
  /** An id that the sender signs. Null when it signs none: then each valid signature is known again. */
  readonly signed: IdPlace | null;
  /** An id that a replayed request could change; null when the sender sends none. */
  readonly unsigned: IdPlace | null;
}

/** The id is the text at a path of the payload, or of several paths together. */
export function inPayload(...paths: readonly string[]): IdPlace {
  return {
    words: paths.map((path) => `\`${path}\``).join(' and '),
    isInPayload: true,
    read: ({ payload }) => together(paths.map((path) => textAt(payload, path))),
  };
}

/** The id is the value of a header. */
export function inHeader(name: string): IdPlace {
  return { words: `the header \`${name}\``, isInPayload: false, read: ({ header }) => header(name) };
}

/** The id is the value of a header that several events share, with the payload. */
export function inHeaderWithPayload(name: string): IdPlace {
  return {
    words: `the header \`${name}\` with the payload`,
    isInPayload: true,
    read: ({ header, text }) => together([header(name), hash('sha256', text, 'hex')]),
    readFormer: ({ header }) => header(name),
  };
}

/** Returns texts joined by spaces; undefined when one of them is missing. */
export function together(texts: readonly (string | undefined)[]): string | undefined {
  return texts.includes(undefined) ? undefined : texts.join(' ');
}
