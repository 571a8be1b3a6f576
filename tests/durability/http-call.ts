/** The result of a request: an answer, or none when the connection broke or 15 seconds passed. */
export interface Answer {
  readonly status: number | 'silence';
  readonly headers?: Headers;
  /** Parsed when it is JSON. */
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
    // Refused, reset or timed out: the sender cannot know what became of the request.
    return { status: 'silence', ms: performance.now() - begun };
  }
}
