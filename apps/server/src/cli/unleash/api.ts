import type { z } from 'zod';
import { CommandError } from '../command-error.ts';
import { readToken } from '../token.ts';
import { userAgent } from '../user-agent.ts';

const timeoutMs = 60_000;

/** The admin API of a running Unleash. Paths are below `/api/admin/`. */
export interface UnleashApi {
  /** Rejects with a CommandError that names the request when it is refused, fails, or its answer is not Unleash's. */
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  /** Rejects like {@link get}. */
  post(path: string, body: unknown): Promise<void>;
}

/** Returns the admin API of the Unleash at an address. */
export function connectToUnleash(address: string, token: string): UnleashApi {
  const base = `${address.replace(/\/+$/, '').replace(/\/api$/, '')}/api/admin`;
  return {
    get: (path, schema) => read(schema, `${base}/${path}`, token),
    post: async (path, body) => void (await request('POST', `${base}/${path}`, token, body)),
  };
}

/**
 * Returns the token for Unleash. There is no option for it, because every user of the machine can read command lines.
 */
export function unleashToken(file: string | undefined, variables: NodeJS.ProcessEnv): string {
  const token = readToken({ file, variable: 'UNLEASH_TOKEN' }, variables);
  if (token !== undefined) return token;
  throw new CommandError(
    'Put an admin token of Unleash into UNLEASH_TOKEN, or into a file that --unleash-token-file names (- for standard input).',
  );
}

async function read<S extends z.ZodType>(schema: S, url: string, token: string): Promise<z.output<S>> {
  const parsed = schema.safeParse(parseJson(await request('GET', url, token)));
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' };
  throw new CommandError(`The answer to GET ${url} is not that of an Unleash: ${path.join('.')} ${message}`);
}

/** Returns the text of an answer. */
async function request(method: 'GET' | 'POST', url: string, token: string, body?: unknown): Promise<string> {
  const response = await send(method, url, token, body);
  const text = await response.text();
  if (response.status === 401 || response.status === 403) {
    throw new CommandError(
      `Unleash refused ${method} ${url} with ${response.status}. The token must be an admin token.`,
    );
  }
  if (!response.ok)
    throw new CommandError(`Unleash answered ${method} ${url} with ${response.status}: ${text.slice(0, 200)}`);
  return text;
}

async function send(method: string, url: string, token: string, body: unknown): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers: {
        authorization: token,
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { message?: string } };
    throw new CommandError(`${url} cannot be reached: ${cause?.message ?? message}`);
  }
}

/** Returns undefined for text that is not JSON; no schema accepts undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
