import type { Routes } from '@yardarm/contract';

/** An answer whose body has been read completely. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws when it is not. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; a wrong expectation fails it
  readonly json: any;
}

export interface Call {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** A value that is sent as JSON. */
  readonly body?: unknown;
  /** A text or bytes to send unchanged, instead of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the method of a route, and its path with the parameters and the query of a call. */
export function methodAndPath(route: keyof Routes, { params, query }: Call): [method: string, path: string] {
  const [method, pattern] = route.split(' ') as [string, string];
  const path = pattern.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(params?.[name] ?? `missing-${name}`)),
  );
  return [method, path + queryString(query)];
}

/** Calls a server by the keys of the route table. */
export class ApiClient {
  readonly url: string;
  readonly #token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.#token = token;
  }

  async call(route: keyof Routes, call: Call = {}): Promise<Reply> {
    const [method, path] = methodAndPath(route, call);
    return this.request(method, path, call);
  }

  /** Sends a request to a path without filling in parameters. */
  async request(method: string, path: string, call: Omit<Call, 'params' | 'query'> = {}): Promise<Reply> {
    const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.#token === undefined ? {} : { authorization: this.#token }),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(body === undefined ? {} : bodyOf(body)),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = await (isStream ? firstMessage(response) : response.text());
    if (response.status >= 400 && response.headers.get('content-type')?.includes('json')) requireExplained(text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }
}

const pieceBytes = 256 * 1024;

/**
 * Returns the body of a request. A large body is sent in pieces: fetch blocks the event loop for some 270 ms for 30 MB,
 * which tests would count as time of the server in the same process.
 */
function bodyOf(body: string | Uint8Array): RequestInit {
  if (typeof body === 'string' || body.length <= pieceBytes) return { body: body as string };
  let sent = 0;
  const pieces = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(body.subarray(sent, sent + pieceBytes)));
      sent += pieceBytes;
      if (sent >= body.length) controller.close();
    },
  });
  return { body: pieces, duplex: 'half' };
}

interface ErrorBody {
  readonly name: string;
  readonly message?: string;
  readonly details?: readonly { readonly message: string }[];
}

/** Throws unless the message of an error, and that of each of its details, says something. */
function requireExplained(text: string): void {
  const { name, message, details = [] }: ErrorBody = JSON.parse(text);
  // Errors of OFREP (the protocol of OpenFeature) have no `message`.
  if (message === undefined) return;
  for (const said of [name, message, ...details.map((detail) => detail.message)])
    if (said === '' || said.trimEnd() !== said) throw new Error(`An error does not say what is wrong: ${text}`);
}

/** Returns the first message of an event stream, which has no end. */
async function firstMessage({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('\n\n')) break;
  }
  return text;
}

function queryString(query: Call['query']): string {
  if (query === undefined) return '';
  return `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`;
}
