/**
 * Whether `If-None-Match` names `etag` (RFC 9110, 13.1.2): alone, in a list, in its weak form, or as `*`. Proxies
 * that compress make tags weak; SDKs send back what they got.
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  return header.split(',').some((item) => {
    const tag = item.trim();
    return tag === '*' || (tag.startsWith('W/') ? tag.slice(2) : tag) === etag;
  });
}

/** Answers depend on it whatever they say. */
export const vary = 'accept-encoding';

/** Headers of the 304 to who has what bears `etag`. */
export function unchangedHeaders(etag: string): { readonly etag: string; readonly vary: string } {
  return { etag, vary };
}

/** The tag of a delta that ends with the event `revision`. */
export function deltaTag(revision: number): string {
  return `"${revision}"`;
}

/** The event id that `If-None-Match` of a delta names, quoted or not, weak or not; undefined when it names none. */
export function revisionIn(header: string | undefined): number | undefined {
  const digits = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header?.trim() ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
