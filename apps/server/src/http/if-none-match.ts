/**
 * Returns whether `If-None-Match` matches `etag` (RFC 9110, 13.1.2): as a single tag, in a list, in its weak form, or
 * as `*`. Weak forms occur because compressing proxies weaken ETags and SDKs send back what they received.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  return header.split(',').some((item) => {
    const tag = item.trim();
    return tag === '*' || (tag.startsWith('W/') ? tag.slice(2) : tag) === etag;
  });
}

export const vary = 'accept-encoding';

/** Returns the headers of a 304 for `etag`. */
export function notModifiedHeaders(etag: string): { readonly etag: string; readonly vary: string } {
  return { etag, vary };
}

/** A position that a reader keeps: the id of an event, and the epoch of the log in which it has that id. */
export interface ReadPosition {
  readonly id: number;
  /** Absent in a position that a person or an earlier version wrote. */
  readonly epoch?: string | undefined;
}

/** Returns the text of a position, for ids of server-sent events and ETags. */
export function formatPosition({ id, epoch }: ReadPosition): string {
  return `${id}:${epoch}`;
}

/** Returns the ETag of a delta that ends at a position. */
export function deltaEtag(position: ReadPosition): string {
  return `"${formatPosition(position)}"`;
}

/**
 * Returns the position in the header `If-None-Match` of a delta or `Last-Event-ID` of a stream, quoted or not, weak or
 * not; undefined when there is none.
 */
export function parsePosition(header: string | undefined): ReadPosition | undefined {
  const [, id, epoch] = /^(?:W\/)?"?(\d{1,15})(?::([0-9a-f]{1,40}))?"?$/.exec(header?.trim() ?? '') ?? [];
  return id === undefined ? undefined : { id: Number(id), epoch };
}
