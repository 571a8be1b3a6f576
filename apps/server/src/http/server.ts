import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import { errorStatus, Problem } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { allowOtherOrigins, type CorsOptions } from './cors.ts';
import { addEventStreams } from './event-stream.ts';
import { holdExpectedBodies } from './expectation.ts';
import { FailureLog } from './failure-log.ts';
import { hostProblem } from './host-header.ts';
import { ofrepRefusal } from './ofrep-refusal.ts';
import { problemBody, toProblem } from './problem-body.ts';
import { StreamLog } from './stream-log.ts';
import { serveUnchanged, type Unchanged } from './unchanged.ts';
import { serveUserInterface } from './user-interface.ts';

export interface ServerOptions {
  readonly basePath: string;
  /** How many proxies in front are believed when they name the client's address. */
  readonly trustProxy: number;
  readonly secure: boolean;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where failures of requests are logged; one of its own when absent. */
  readonly failures?: FailureLog;
  /** Methods that some route takes on a path. */
  readonly allowedMethods: (path: string) => readonly string[];
  /** Paths below the base path that are known, and take no method at all. */
  readonly refusedPaths: readonly string[];
  readonly cors: Omit<CorsOptions, 'basePath'>;
  /** Where the build of the user interface is; without, none is served. */
  readonly userInterface?: string;
  /** Paths below the base path of which it may be known at once that nothing has changed. */
  readonly unchanged?: ReadonlyMap<string, Unchanged>;
  /** Whether the process is shutting down: each answer then ends its connection. Never when absent. */
  readonly stopping?: () => boolean;
  /** Told of every answer: the route as it is declared, and how long it took in seconds. */
  readonly onAnswer: (method: string, route: string, status: number, seconds: number) => void;
}

/** In milliseconds: from one request to the next, and for all of a request to arrive. */
const timeouts = { keepAlive: 72_000, request: 60_000 };

/** A server with everything that holds for all routes: error bodies, request ids, headers. Routes come below `scope`. */
export async function createServer(
  options: ServerOptions,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<FastifyInstance> {
  const newRequestId = requestIds();
  const usualHeaders = usualHeadersOf(options);
  const app = fastify({
    serverFactory: (framework) =>
      serveUnchanged(framework, {
        paths: new Map([...(options.unchanged ?? [])].map(([path, unchanged]) => [options.basePath + path, unchanged])),
        usualHeaders,
        newRequestId,
        onAnswer: options.onAnswer,
        stopping: options.stopping ?? (() => false),
        timeouts,
      }),
    loggerInstance: options.logger,
    logController: new StreamLog(),
    // Counted from here, so that what a client writes into the header itself is never reached.
    trustProxy: options.trustProxy === 0 ? false : (_address, hop) => hop < options.trustProxy,
    genReqId: newRequestId,
    // A logger for each request costs more than the rest of an answer from memory; what is logged names its request.
    childLoggerFactory: (logger) => logger,
    // What still arrives on an open connection while stopping is answered like everything else, and /ready by its route.
    return503OnClosing: false,
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, maxParamLength: 500 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      const problem = toProblem(error);
      return (reply as FastifyReply).code(problem.status).send(problemBody(problem, request.id));
    },
  }) as unknown as FastifyInstance;
  holdExpectedBodies(app.server);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('info', undefined);
  // Bodies are read by the route, after it knows who calls and how much it takes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  addEventStreams(app);
  addHooks(app, options, usualHeaders);
  allowOtherOrigins(app, { ...options.cors, basePath: options.basePath });
  const { failures = new FailureLog(options.clock) } = options;
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    failures.answered(request.log, problem, error, request.id);
    const isOfrep = request.routeOptions.config.spec?.refusals === 'ofrep';
    const body = { ...problemBody(problem, request.id), ...(isOfrep ? ofrepRefusal(problem, request.params) : {}) };
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  });
  const { userInterface: directory, basePath } = options;
  const pages = directory === undefined ? undefined : await serveUserInterface(app, { directory, basePath });
  app.setNotFoundHandler((request, reply) => {
    if (pages?.answer(request, reply) === true) return reply;
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = options.allowedMethods(path);
    const isRefused = options.refusedPaths.some((refused) => path === options.basePath + refused);
    if (allowed.length === 0 && !isRefused) throw new Problem('NotFoundError', `There is nothing at ${path}.`);
    throw new Problem('NotImplementedError', `${path} does not take ${request.method}.`, {
      headers: { allow: allowed.join(', ') },
    });
  });
  await app.register(
    (scope, _options, done) => {
      addRoutes(scope);
      done();
    },
    { prefix: options.basePath },
  );
  return app;
}

/** Headers that every answer has. */
function usualHeadersOf({ secure }: ServerOptions) {
  const always = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Links to set a password have their secret in the address of the page.
    'referrer-policy': 'no-referrer',
    ...(secure && { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' }),
  };
  return (requestId: string): Record<string, string> => ({ 'x-request-id': requestId, ...always });
}

function addHooks(
  app: FastifyInstance,
  options: ServerOptions,
  usualHeaders: (requestId: string) => Record<string, string>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(usualHeaders(request.id));
    const problem = hostProblem(request.raw);
    if (problem === undefined) done();
    else done(new Problem('BadRequestError', problem));
  });
  app.addHook('onResponse', (request, reply, done) => {
    // How long a stream was open tells nothing of how soon it was answered.
    if (app.eventStreams.isStream(reply)) {
      done();
      return;
    }
    options.onAnswer(request.method, request.routeOptions.url ?? '(none)', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}

/** How long a client gets to take the answer to a request that could not be read, in milliseconds. */
const lingerMs = 1000;

/**
 * Answers a request that could not be read with a body in the documented shape, and then destroys the connection: ending
 * it closes only this side, and a client that keeps its own open would hold the descriptor for ever.
 */
function answerClientError(this: unknown, error: Error & { code?: string }, socket: Socket): void {
  // An answer that has begun cannot have another one in the middle of it.
  const current = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) {
    socket.destroy();
    return;
  }
  const name =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'HeadersTooLargeError'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'RequestTimeoutError'
        : 'BadRequestError';
  const problem = new Problem(
    name,
    name === 'BadRequestError' ? 'This is not a valid HTTP request.' : 'The request could not be read.',
  );
  const body = JSON.stringify(problemBody(problem, newId()));
  const status = errorStatus[name];
  socket.end(
    `HTTP/1.1 ${status} ${name}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Not as soon as the answer is flushed: what still arrives would then reset the connection, and the answer with it.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
}

/** Makes ids in the form of a UUID: random once, then counted. They must be unique, and need not be hard to guess. */
function requestIds(): () => string {
  const start = newId().slice(0, 24);
  let made = 0;
  return () => start + (++made).toString(16).padStart(12, '0');
}
