import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '#kernel/clock.ts';
import { errorStatus, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { allowOtherOrigins, type CorsOptions } from './cors.ts';
import { serveDocumentation } from './documentation.ts';
import { addEventStreams } from './event-stream.ts';
import { deferContinue } from './expect-continue.ts';
import { FailureLog } from './failure-log.ts';
import { hostProblem } from './host-header.ts';
import { type NotModifiedCheck, serveNotModified } from './not-modified.ts';
import { ofrepRefusal } from './ofrep-refusal.ts';
import { problemBody, toProblem } from './problem-body.ts';
import { quotedPath } from './quoted-path.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { type ReportRefusalReason, ReportRefusals } from './report-refusals.ts';
import type { TurnLimits } from './request-turns.ts';
import { type SlowReaderLimits, SlowReaders } from './slow-readers.ts';
import { keptInMemory, type StaticFiles } from './static-files.ts';
import { StreamLog } from './stream-log.ts';
import { pathOf } from './url-path.ts';
import { type Pages, serveUserInterface } from './user-interface.ts';

declare module 'fastify' {
  interface FastifyInstance {
    slowReaders: SlowReaders;
  }
}

export interface ServerOptions extends TurnLimits, SlowReaderLimits {
  readonly basePath: string;
  /** The number of proxies in front of the server whose X-Forwarded-For entries are trusted. */
  readonly trustProxy: number;
  readonly secure: boolean;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The log of request failures; a new one by default. */
  readonly failures?: FailureLog;
  /** Returns the methods that the routes at a path accept. */
  readonly allowedMethods: (path: string) => readonly string[];
  /** Known paths below the base path that accept no method. */
  readonly refusedPaths: readonly string[];
  readonly cors: Omit<CorsOptions, 'basePath'>;
  /** The files of the built admin UI; without an index.html, no UI is served. */
  readonly userInterface?: StaticFiles;
  /** The files of the built documentation; without an index.html, no documentation is served. */
  readonly documentation?: StaticFiles;
  /** The checks for a 304 by path below the base path. */
  readonly unchanged?: ReadonlyMap<string, NotModifiedCheck>;
  /** Returns whether the process is shutting down: each answer then closes its connection. Never by default. */
  readonly stopping?: () => boolean;
  /** Called for every answer with the declared route, the time in seconds, and whether the route is an alias. */
  readonly onAnswer: (method: string, route: string, status: number, seconds: number, isAlias: boolean) => void;
  /** Called for every refused usage report. */
  readonly onRefusedReport?: (reason: ReportRefusalReason) => void;
  /** Called for every refused change of an identified caller of the admin API. */
  readonly onRefusal?: (refusal: Refusal) => void;
}

/** In milliseconds: the idle time between requests, and the time to receive a request. */
const timeouts = { keepAlive: 72_000, request: 60_000 };

/**
 * Creates the server with what all routes share: error bodies, request ids and headers. `addRoutes` registers the
 * routes.
 */
export async function createServer(
  options: ServerOptions,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<FastifyInstance> {
  const newRequestId = requestIds();
  const usualHeaders = usualHeadersOf(options);
  const app = fastify({
    serverFactory: (framework) =>
      serveNotModified(framework, {
        paths: new Map([...(options.unchanged ?? [])].map(([path, unchanged]) => [options.basePath + path, unchanged])),
        usualHeaders,
        newRequestId,
        onAnswer: options.onAnswer,
        stopping: options.stopping ?? (() => false),
        turns: options,
        timeouts,
      }),
    loggerInstance: options.logger,
    logController: new StreamLog(),
    // Proxies are counted from the server's side, so entries that a client writes into the header are never trusted.
    trustProxy: options.trustProxy === 0 ? false : (_address, hop) => hop < options.trustProxy,
    genReqId: newRequestId,
    // A child logger for each request would cost more than an answer from memory; log lines have the request id anyway.
    childLoggerFactory: (logger) => logger,
    // Requests during the shutdown are answered as usual; the route of /ready answers 503.
    return503OnClosing: false,
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, maxParamLength: 500 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      const problem = toProblem(error);
      return (reply as FastifyReply).code(problem.status).send(problemBody(problem, request.id));
    },
  }) as unknown as FastifyInstance;
  deferContinue(app.server);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('info', undefined);
  // Routes read the body after identifying the caller, with their own size limit. The framework's parsers would read it
  // before, have one limit for all routes, close the connection after a 413, and hide the exact text of a signal.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  addEventStreams(app);
  app.decorate('slowReaders', new SlowReaders(options));
  addHooks(app, options, usualHeaders);
  allowOtherOrigins(app, { ...options.cors, basePath: options.basePath });
  answerErrors(app, options);
  const pages = await serveFiles(app, options);
  app.setNotFoundHandler((request, reply) => {
    if (pages?.answer(request, reply) === true) return reply;
    const path = pathOf(request.url);
    const allowed = options.allowedMethods(path);
    const isRefused = options.refusedPaths.some((refused) => path === options.basePath + refused);
    if (allowed.length === 0 && !isRefused)
      throw new Problem('NotFoundError', `There is no route ${quotedPath(path)}.`);
    throw new Problem('NotImplementedError', `${quotedPath(path)} does not accept ${request.method}.`, {
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

/** Answers errors with their problem body, and notes failures, refused usage reports and refused changes. */
function answerErrors(app: FastifyInstance, options: ServerOptions): void {
  const { failures = new FailureLog(options.clock) } = options;
  const reportRefusals = new ReportRefusals(options.clock, options.onRefusedReport ?? (() => undefined));
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    failures.answered(request.log, problem, error, request.id);
    reportRefusals.answered(request, problem);
    const refusal = refusalOf(request, problem);
    if (refusal !== undefined) options.onRefusal?.(refusal);
    const isOfrep = request.routeOptions.config.spec?.refusals === 'ofrep';
    const body = { ...problemBody(problem, request.id), ...(isOfrep ? ofrepRefusal(problem, request.params) : {}) };
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  });
}

/** Serves the files of the documentation, and returns the pages of the user interface. */
async function serveFiles(
  app: FastifyInstance,
  { userInterface, documentation, basePath }: ServerOptions,
): Promise<Pages | undefined> {
  if (documentation !== undefined) serveDocumentation(app, { files: keptInMemory(documentation), basePath });
  return userInterface && serveUserInterface(app, { files: keptInMemory(userInterface), basePath });
}

/**
 * Returns a function that creates the headers of every answer. Answers before the framework need them too, so that a
 * plug-in such as `@fastify/helmet` would be a second list (and 49.1 instead of 42.2 µs a request).
 */
function usualHeadersOf({ secure }: ServerOptions) {
  const always = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // The URL of a password link contains its secret.
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
  const adminApi = `${options.basePath}/api/admin/`;
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(usualHeaders(request.id));
    // Nothing of the admin API stays in a cache of a browser or a proxy, not even an error.
    if (pathOf(request.url).startsWith(adminApi)) reply.header('cache-control', 'no-store');
    const problem = hostProblem(request.raw);
    if (problem === undefined) done();
    else done(new Problem('BadRequestError', problem));
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The duration of an event stream is not a response time.
    if (app.eventStreams.isStream(reply)) {
      done();
      return;
    }
    const { url = '(none)', config } = request.routeOptions;
    const isAlias = config.spec?.aliasOf !== undefined;
    options.onAnswer(request.method, url, reply.statusCode, reply.elapsedTime / 1000, isAlias);
    done();
  });
}

/** The time for a client to read the answer to an invalid HTTP request, in milliseconds. */
const lingerMs = 1000;

/**
 * Answers an invalid HTTP request with the documented error body, and then destroys the connection: `end` closes only
 * this side, and a client that keeps its side open would hold the file descriptor for ever.
 */
function answerClientError(this: unknown, error: Error & { code?: string }, socket: Socket): void {
  // An answer on this connection has begun already; another one would corrupt it.
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
    name === 'BadRequestError'
      ? 'This is not a valid HTTP request.'
      : 'The request could not be read: its headers are too large, or it took too long to arrive.',
  );
  const body = JSON.stringify(problemBody(problem, newId()));
  const status = errorStatus[name];
  socket.end(
    `HTTP/1.1 ${status} ${name}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Wait before closing: data that arrives at a closed socket would reset the connection, and the client would lose the
  // answer.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
}

/**
 * Returns a function that creates request ids in the form of a UUID: the beginning is random for each process, the end
 * is a counter. The ids may be guessable.
 */
function requestIds(): () => string {
  const start = newId().slice(0, 24);
  let made = 0;
  return () => start + (++made).toString(16).padStart(12, '0');
}
