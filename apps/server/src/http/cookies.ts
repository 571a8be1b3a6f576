/**
 * Parses a `Cookie` header (RFC 6265, 4.2). When a name occurs twice, the first cookie counts, which is the one with
 * the longer path.
 */
export function readCookies(header: string | undefined): Readonly<Record<string, string | undefined>> {
  const cookies: Record<string, string | undefined> = Object.create(null);
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    cookies[name] ??= unquoted(pair.slice(equals + 1).trim());
  }
  return cookies;
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
