import { validateHeaderName, validateHeaderValue } from 'node:http';

/** What stands for a secret that is set. */
export const hidden = '*****';

/** What is decided by how a message is sent, or has a field of its own. */
const reserved = /^(host|content-length|content-type|transfer-encoding|connection|upgrade|expect)$/i;

/** What is wrong with a URL that is to be called; undefined when nothing is. */
export function urlProblem(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'must be a URL that begins with http:// or https://';
  const { username, password } = new URL(url);
  return username === '' && password === '' ? undefined : 'must not hold a password';
}

/** The headers that the text of a JSON object tells, none when it is empty. Throws an Error that says what is wrong and quotes no value. */
export function headersIn(text: string): Record<string, string> {
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
      throw new Error(notHttp);
    }
    checkHeaderValue(value);
  }
  return headers as Record<string, string>;
}

const notHttp = 'must hold only what HTTP allows in headers';

/** Throws an Error that does not quote the value, which may be a secret. */
export function checkHeaderValue(value: string): void {
  try {
    validateHeaderValue('value', value);
  } catch {
    throw new Error(notHttp);
  }
}

/** Whether a body of this content type is JSON. */
export function isJsonType(contentType: string): boolean {
  return /\bjson\b/i.test(contentType);
}

/** Text as it stands inside the quotes of a JSON string. */
export function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
