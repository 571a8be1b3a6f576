/**
 * Returns the token of an `Authorization` header, with or without the scheme `Bearer` in any letter
 * case (docs/spec#http-rules); undefined when there is none.
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const token = header.replace(/^bearer\s+/i, '').trim();
  return token === '' ? undefined : token;
}
