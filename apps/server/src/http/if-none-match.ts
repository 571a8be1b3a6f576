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

/** Returns the ETag of a delta that ends with the event `revision`. */
export function deltaEtag(revision: number): string {
  return `"${revision}"`;
}

/**
 * Returns the event id in the `If-None-Match` header of a delta, quoted or not, weak or not; undefined when there is
 * none.
 */
export function parseRevision(header: string | undefined): number | undefined {
  const digits = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header?.trim() ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
