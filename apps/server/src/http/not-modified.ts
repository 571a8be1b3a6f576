import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { hostProblem } from './host-header.ts';
import { inTurn, type TurnLimits } from './request-turns.ts';

/**
 * Returns the headers of a 304 when the client's copy is current. Returns undefined when the copy is not current or the
 * check cannot tell from memory; the route then answers the request as usual.
 */
export type NotModifiedCheck = (
  header: (name: string) => string | undefined,
) => Readonly<Record<string, string>> | undefined;

export interface NotModifiedOptions {
  /** The checks by path, including the base path. Used for GET requests without a query. */
  readonly paths: ReadonlyMap<string, NotModifiedCheck>;
  /** Returns the headers that every answer has. */
  readonly usualHeaders: (requestId: string) => Readonly<Record<string, string>>;
  readonly newRequestId: () => string;
  /** Called for every answer, like the server's `onAnswer`. */
  readonly onAnswer: (method: string, route: string, status: number, seconds: number, isAlias: boolean) => void;
  /**
   * Returns whether the process is shutting down. Each answer then closes its connection, so that clients connect to
   * another process.
   */
  readonly stopping: () => boolean;
  readonly turns: TurnLimits;
  /** In milliseconds: the idle time between requests, and the time to receive a request. */
  readonly timeouts: { readonly keepAlive: number; readonly request: number };
}

/**
 * Creates a server that answers 304s to SDKs before `framework`. Most requests of SDKs are answered 304, and the
 * framework's work (its objects, routing, hooks) would be more than half of the cost of such an answer: with it, the
 * ratio to bare Fastify stayed below the floor of 0.8, and leaving out single hooks or headers changed little.
 *
 * Two paths lead to these 304s; tests compare their headers and metrics. A new rule that refuses SDKs has to be known
 * to `peek` of tokens, or be checked in `features/sdks/sdk` before this 304 as well.
 */
export function serveNotModified(framework: RequestListener, options: NotModifiedOptions): Server {
  // Node must not reject requests without Host: a hook of the framework rejects them with a body that explains the
  // error.
  const answer: RequestListener = (request, response) => {
    if (options.stopping()) response.shouldKeepAlive = false;
    if (answerNotModified(request, response, options)) return;
    framework(request, response);
  };
  const server = createServer({ requireHostHeader: false }, inTurn(answer, options.turns));
  server.keepAliveTimeout = options.timeouts.keepAlive;
  server.requestTimeout = options.timeouts.request;
  return server;
}

function answerNotModified(request: IncomingMessage, response: ServerResponse, options: NotModifiedOptions): boolean {
  const { url = '', method, headers } = request;
  if (method !== 'GET' || headers['if-none-match'] === undefined || needsFramework(request)) return false;
  const unchanged = options.paths.get(url);
  if (unchanged === undefined) return false;
  const begun = performance.now();
  const found = unchanged((name) => headers[name] as string | undefined);
  if (found === undefined) return false;
  response.writeHead(304, { ...options.usualHeaders(options.newRequestId()), ...found });
  response.end();
  options.onAnswer(method, url, 304, (performance.now() - begun) / 1000, false);
  return true;
}

/** Returns whether the framework must handle the request: it has a body, an `Expect` header or an invalid `Host`. */
function needsFramework(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    hostProblem(request) !== undefined
  );
}
