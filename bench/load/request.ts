import { randomBytes } from 'node:crypto';

/**
 * A request as JSON, so that it can be sent to another process. In `path`, header values and `body` these placeholders
 * are filled in for each request: `{{id}}` a text that is unique over all runs, `{{n}}` the number of the request in
 * this run from 0, `{{connection}}` the number of its connection from 0.
 */
export interface RequestTemplate {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A prepared template: it returns the bytes of each request. */
export interface PreparedRequest {
  readonly method: string;
  bytes(n: number, connection: number): Buffer | string;
}

const placeholder = /\{\{(id|n|connection)\}\}/;

/**
 * Prepares a template for an origin. A template without placeholders is encoded once. `run` makes ids unique over runs.
 * Throws TypeError on a method, path or header that would not make a well-formed request.
 */
export function prepareRequest(
  template: RequestTemplate,
  origin: URL,
  run: string = randomBytes(6).toString('hex'),
): PreparedRequest {
  assertWellFormed(template);
  const { method, body } = template;
  const fields = Object.entries(template.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${template.path} HTTP/1.1\r\nHost: ${origin.host}\r\n${fields.join('')}`;
  if (!placeholder.test(head) && !placeholder.test(body ?? '')) {
    const bytes = Buffer.from(wire(head, body));
    return { method, bytes: () => bytes };
  }
  const fillHead = filler(head, run);
  const fillBody = body === undefined ? () => undefined : filler(body, run);
  return { method, bytes: (n, connection) => wire(fillHead(n, connection), fillBody(n, connection)) };
}

function wire(head: string, body: string | undefined): string {
  return body === undefined ? `${head}\r\n` : `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function filler(text: string, run: string): (n: number, connection: number) => string {
  const parts = text.split(new RegExp(placeholder, 'g'));
  return (n, connection) => {
    const values: Readonly<Record<string, string>> = {
      id: `${run}-${n}`,
      n: String(n),
      connection: String(connection),
    };
    let filled = '';
    // A split by a pattern with one group alternates text and the group's match.
    for (const [index, part] of parts.entries()) filled += index % 2 === 0 ? part : values[part];
    return filled;
  };
}

function assertWellFormed(template: RequestTemplate): void {
  if (!/^[A-Z]+$/.test(template.method)) throw new TypeError(`Not a method: ${JSON.stringify(template.method)}`);
  if (!/^\/[\x21-\x7e]*$/.test(template.path)) throw new TypeError(`Not a path: ${JSON.stringify(template.path)}`);
  for (const [name, value] of Object.entries(template.headers ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`Not a header name: ${JSON.stringify(name)}`);
    if (/[^\t\x20-\x7e]/.test(value)) throw new TypeError(`Header ${name} may only hold visible ASCII`);
    if (/^(?:content-length|transfer-encoding|connection|host)$/i.test(name)) {
      throw new TypeError(`Header ${name} is set by the generator`);
    }
  }
}
