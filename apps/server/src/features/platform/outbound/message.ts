import { validateHeaderName, validateHeaderValue } from 'node:http';

/** The mask that answers show, and requests send back, in place of a stored secret. */
export const maskedSecret = '*****';

/** Headers that the HTTP client sets itself, or that have a parameter of their own. */
const reserved = /^(host|content-length|content-type|transfer-encoding|connection|upgrade|expect)$/i;

/** Returns an error text for an invalid request URL; undefined for a valid URL. */
export function findUrlProblem(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'must be a URL that begins with http:// or https://';
  const { username, password } = new URL(url);
  return username === '' && password === '' ? undefined : 'must not contain a user name or password';
}

/** Parses headers from a JSON object; empty text has no headers. Throws an Error whose message quotes no value. */
export function parseHeaders(text: string): Record<string, string> {
  if (text.trim() === '') return {};
  const wrong = 'must be a JSON object of header names and values';
  let headers: unknown;
  try {
    headers = JSON.parse(text);
  } catch {
    throw new Error(wrong);
  }
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) throw new Error(wrong);
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') throw new Error(wrong);
    if (reserved.test(name)) throw new Error(`must not set ${name}`);
    try {
      validateHeaderName(name);
    } catch {
      throw new Error(invalidHeaderText);
    }
    checkHeaderValue(value);
  }
  return headers as Record<string, string>;
}

/**
 * Merges the configured `headers` with the server's `own` headers, which override headers of the same name. Names in
 * `own` are in lower case; names in `headers` may have any case.
 */
export function overrideHeaders(
  headers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => own[name.toLowerCase()] === undefined);
  return { ...Object.fromEntries(kept), ...own };
}

const invalidHeaderText = 'must contain only characters that HTTP allows in headers';

/** Throws an Error that does not quote the value, because it may be a secret. */
export function checkHeaderValue(value: string): void {
  try {
    validateHeaderValue('value', value);
  } catch {
    throw new Error(invalidHeaderText);
  }
}

/** Returns whether a body of this content type is JSON. */
export function isJsonType(contentType: string): boolean {
  return /\bjson\b/i.test(contentType);
}

/** Escapes text for use inside the quotes of a JSON string. */
export function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
