import { changeReasonHeader, type RouteKey } from '@yardarm/contract';
import { CommandError } from './command-error.ts';
import { readToken } from './token.ts';
import { userAgent } from './user-agent.ts';

/** The address of a server and the credentials for it. */
export interface RemoteOptions {
  readonly url?: string | undefined;
  readonly tokenFile?: string | undefined;
}

/** The body of an error answer. */
interface ProblemBody {
  readonly message?: string;
  readonly details?: readonly { readonly message: string; readonly path?: string }[];
}

/** The error for a request that the server refused. */
export class Refusal extends CommandError {
  readonly status: number;
  readonly details: NonNullable<ProblemBody['details']>;
  readonly #body: ProblemBody;

  constructor(status: number, body: ProblemBody) {
    const { message = `status ${status}`, details = [] } = body;
    const more = details.map((detail) => `\n  - ${detail.message}`).join('');
    super(`The server refused: ${message}${details.length > 1 ? more : ''}`);
    this.status = status;
    this.details = details;
    this.#body = body;
  }

  /** Returns the refusal with its texts mapped. */
  map(map: (text: string) => string): Refusal {
    const { message, details } = this.#body;
    return new Refusal(this.status, {
      ...(message === undefined ? {} : { message: map(message) }),
      ...(details === undefined ? {} : { details: details.map((each) => ({ ...each, message: map(each.message) })) }),
    });
  }
}

/** An HTTP client for a server. */
export interface Remote {
  readonly url: string;
  /**
   * Returns the JSON of the answer. Rejects with a {@link Refusal}, or a CommandError when the server is unreachable or
   * the connection ends within the answer.
   */
  call(key: RouteKey, body?: unknown): Promise<unknown>;
}

/**
 * Returns a client for the server at `--url`, YARDARM_URL or this machine, with the token of `--token-file` or
 * YARDARM_TOKEN. There is no option for the token itself: every user of the machine can read command lines.
 */
export function connect({ url, tokenFile }: RemoteOptions, variables: NodeJS.ProcessEnv): Remote {
  const base = (url ?? variables['YARDARM_URL'] ?? 'http://localhost:4242').replace(/\/+$/, '');
  const token = readToken({ file: tokenFile, variable: 'YARDARM_TOKEN' }, variables);
  if (token === undefined) {
    throw new CommandError('Put a personal or admin token into YARDARM_TOKEN, or into a file that --token-file names.');
  }
  const reason = variables['YARDARM_CHANGE_REASON'];
  const because = reason ? { [changeReasonHeader]: encodeURIComponent(reason) } : {};
  return {
    url: base,
    call: async (key, body) => {
      const [method, path] = key.split(' ') as [string, string];
      const { response, text } = await send(`${base}${path}`, method, { authorization: token, ...because }, body);
      const json: unknown = text === '' ? undefined : parse(text, response.status);
      if (response.ok) return json;
      throw new Refusal(response.status, (json ?? {}) as ProblemBody);
    },
  };
}

async function send(
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(address, {
      method,
      headers: {
        'user-agent': userAgent,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, text: await response.text() };
  } catch (error) {
    const { cause } = error as { cause?: { message?: string } };
    throw new CommandError(`${address} cannot be reached: ${cause?.message ?? (error as Error).message}`);
  }
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`The server answered ${status} without JSON, so it is not Yardarm: ${text.slice(0, 100)}`, {
      cause: error,
    });
  }
}
