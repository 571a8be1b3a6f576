/**
 * The token of an `Authorization` header: with the scheme `Bearer`, in any case, or bare (docs/spec#http-rules).
 * Undefined when there is none.
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const token = header.replace(/^bearer\s+/i, '').trim();
  return token === '' ? undefined : token;
}
