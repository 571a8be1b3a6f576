/** A client of the demo server that acts as a person with a session, or as a sender or an application with a token. */
export interface Caller {
  /** Sends a request and returns the answer, parsed. Rejects when the answer is an error. */
  call(request: string, body?: unknown): Promise<Answer>;
}

// The demo reads ids and secrets of its own objects only.
type Answer = Readonly<Record<string, unknown>> & { readonly id: number };

/** Returns a caller that sends `headers` with each request. A request is a method and a path: `POST /api/admin/…`. */
export function callerOf(url: string, headers: Readonly<Record<string, string>>): Caller {
  return {
    call: async (request, body) => {
      const [method = '', path = ''] = request.split(' ');
      const reply = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${request} answered ${reply.status}: ${text}`);
      return /^[{[]/.test(text) ? JSON.parse(text) : {};
    },
  };
}

/** Logs a person in. */
export async function logIn(url: string, username: string, password: string): Promise<Caller> {
  const reply = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const cookie = reply.headers.getSetCookie()[0]?.split(';', 1)[0];
  await reply.text();
  if (cookie === undefined) throw new Error(`The login of ${username} answered ${reply.status}`);
  return callerOf(url, { cookie });
}
