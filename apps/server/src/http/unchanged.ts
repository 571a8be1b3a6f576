import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { hostProblem } from './host-header.ts';

/**
 * Whether who asks has what there is already: the headers of the 304 that says so. Undefined where that is not so or not
 * known at once; then the route of the path answers, as it would have without this.
 */
export type Unchanged = (header: (name: string) => string | undefined) => Readonly<Record<string, string>> | undefined;

export interface UnchangedOptions {
  /** Asked for GET requests of these paths, base path included, that have no query. */
  readonly paths: ReadonlyMap<string, Unchanged>;
  /** Headers that every answer has. */
  readonly usualHeaders: (requestId: string) => Readonly<Record<string, string>>;
  readonly newRequestId: () => string;
  /** As that of the server. */
  readonly onAnswer: (method: string, route: string, status: number, seconds: number) => void;
  /** Whether the process is shutting down. Each answer then ends its connection, so that clients take their next request elsewhere. */
  readonly stopping: () => boolean;
  /** In milliseconds: from one request to the next, and for all of a request to arrive. */
  readonly timeouts: { readonly keepAlive: number; readonly request: number };
}

/**
 * Makes a server that tells SDKs that nothing has changed ahead of `framework`. Nearly all that they ask comes to that,
 * and what a framework does for each request is most of what such an answer costs.
 */
export function serveUnchanged(framework: RequestListener, options: UnchangedOptions): Server {
  // A missing host is refused by a hook, with a body.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    if (options.stopping()) response.shouldKeepAlive = false;
    if (tellUnchanged(request, response, options)) return;
    framework(request, response);
  });
  server.keepAliveTimeout = options.timeouts.keepAlive;
  server.requestTimeout = options.timeouts.request;
  return server;
}

function tellUnchanged(request: IncomingMessage, response: ServerResponse, options: UnchangedOptions): boolean {
  const { url = '', method, headers } = request;
  if (method !== 'GET' || headers['if-none-match'] === undefined || isUnusual(request)) return false;
  const unchanged = options.paths.get(url);
  if (unchanged === undefined) return false;
  const begun = performance.now();
  const found = unchanged((name) => headers[name] as string | undefined);
  if (found === undefined) return false;
  response.writeHead(304, { ...options.usualHeaders(options.newRequestId()), ...found });
  response.end();
  options.onAnswer(method, url, 304, (performance.now() - begun) / 1000);
  return true;
}

/** Whether it has what the framework sees to: a body, an expectation, or a wrong `Host`. */
function isUnusual(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    hostProblem(request) !== undefined
  );
}
