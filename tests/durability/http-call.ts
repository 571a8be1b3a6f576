/** The result of a request: an answer, or `silence` when the connection broke or 15 seconds passed. */
export interface Answer {
  readonly status: number | 'silence';
  readonly headers?: Headers;
  /** The body, parsed if it is JSON. */
  readonly body?: unknown;
  readonly ms: number;
}

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  /** JSON text. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request and returns the parsed answer. Throws when its status is not 2xx. */
export async function callApi<Body>(origin: string, request: Omit<HttpCall, 'body'>, body?: object): Promise<Body> {
  const answer = await call(origin, { ...request, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (typeof answer.status !== 'number' || answer.status >= 300)
    throw new Error(`${request.method} ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
}

/** Returns how many events of a type are recorded. */
export async function countEvents(origin: string, token: string, type: string): Promise<number> {
  const path = `/api/admin/search/events?type=IS:${type}&limit=1`;
  return (await callApi<{ total: number }>(origin, { method: 'GET', path, token })).total;
}

const patienceMs = 15_000;

/** Sends one request; never rejects. */
export async function call(origin: string, { method, path, token, body, headers }: HttpCall): Promise<Answer> {
  const begun = performance.now();
  try {
    const response = await fetch(origin + path, {
      method,
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        ...(token === undefined ? {} : { authorization: token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
      ms: performance.now() - begun,
    };
  } catch {
    // The connection was refused or reset, or timed out: the sender cannot know whether the request took effect.
    return { status: 'silence', ms: performance.now() - begun };
  }
}
