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
