import { Readable } from 'node:stream';
import type { Access, Payload, RouteKey, RouteSpec, RouteTable } from '@yardarm/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Author } from '#kernel/actor.ts';
import { rememberChanges } from '#kernel/begun-changes.ts';
import type { SdkCaller } from '#kernel/caller.ts';
import { stringify } from '#kernel/json-text.ts';
import { checkBodyHeaders, mayBeLargerThan, readBody } from './body.ts';
import { answerWithEvents, type EventStream } from './event-stream.ts';
import type { FormattedBody, Handlers } from './handler.ts';
import type { LargeBodies } from './large-bodies.ts';
import { parse, parseRouteBody } from './parse.ts';
import { requirePermission } from './permission.ts';
import { queryChecks } from './query-parameters.ts';
import type { LocalRateLimit } from './rate-limit.ts';
import { authorOf, type Callers, type Guards, type RequestInfo } from './request.ts';
import { LazyRequestInfo } from './request-info.ts';
import type { SignalCaller } from './signal-caller.ts';
import type { UnprovenBodies } from './unproven-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Callers[keyof Callers] | undefined;
    info: RequestInfo | undefined;
  }
  interface FastifyContextConfig {
    spec?: RouteSpec;
    maxBodyBytes?: number;
  }
}

/** A handler without its static types, which are checked at the call of {@link bindRoutes}. */
type AnyHandler = (input: HandlerInput) => Promise<AnyAnswer | undefined> | AnyAnswer | undefined;
interface AnyAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

export interface BindOptions {
  readonly guards: Guards;
  /** Returns the size limit of ordinary bodies of a route in bytes. */
  maxBodyBytes(key: string, spec: RouteSpec): number;
  readonly largeBodies: LargeBodies;
  readonly unprovenBodies: UnprovenBodies;
  readonly rates?: RouteRates;
  /** Second paths of routes of the table: each is answered by the handler of the route that its `aliasOf` names. */
  readonly aliases?: RouteTable;
}

/**
 * Rate limits by route. Requests with a backend token are counted by token, because many servers may share an address
 * (a thousand instances that report every 10 s are 6,000 reports a minute); other requests by client address, because
 * frontend tokens are public. Requests with an invalid body count, too, because a request is counted before its body is
 * read.
 */
export type RouteRates = Partial<Readonly<Record<RouteKey, LocalRateLimit>>>;

/**
 * Serves every route of `table`: checks identity and permission, parses the body, calls the handler, serializes the
 * answer.
 */
export function bindRoutes<T extends RouteTable>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T>,
  options: BindOptions,
): void {
  const all: RouteTable = { ...table, ...options.aliases };
  const checkOf = queryChecks(all);
  const handlerOf = handlers as unknown as Readonly<Record<string, AnyHandler>>;
  for (const [key, spec] of Object.entries(all) as [RouteKey, RouteSpec][]) {
    const [method, url] = key.split(' ') as [string, string];
    const handled = spec.aliasOf ?? key;
    const handler = handlerOf[handled];
    if (handler === undefined) throw new Error(`The route ${key} has no handler.`);
    const maxBodyBytes = options.maxBodyBytes(handled, spec);
    const takesBody = spec.body !== undefined || spec.rawBody !== undefined;
    const { largeBodies, unprovenBodies } = options;
    const checkQuery = checkOf(key, spec);
    const handle = method === 'GET' ? handler : (input: HandlerInput) => rememberChanges(() => handler(input));
    const answer = (request: FastifyRequest, reply: FastifyReply, body: unknown) => {
      checkQuery?.(request, reply);
      const answered = handle(new HandlerInput(spec, request, reply, body));
      return answered instanceof Promise
        ? answered.then((later) => send(reply, spec, later))
        : send(reply, spec, answered);
    };
    const answerLarge = (request: FastifyRequest, reply: FastifyReply) =>
      largeBodies.read(key, spec, request, maxBodyBytes, (body) => answer(request, reply, body));
    const answerWithBody = async (request: FastifyRequest, reply: FastifyReply) => {
      if (spec.rawBody !== undefined)
        return answerSignal(unprovenBodies, request, (body) => Promise.resolve(answer(request, reply, body)));
      if (spec.largeBody !== undefined && mayBeLargerThan(request.raw, maxBodyBytes))
        return answerLarge(request, reply);
      return answer(request, reply, await readRouteBody(spec, request, maxBodyBytes));
    };
    app.route({
      method: method as 'GET',
      url,
      config: { spec, maxBodyBytes },
      onRequest: (request, reply, done) => {
        const caller = admit(spec, request, reply, options, options.rates?.[handled]);
        if (!(caller instanceof Promise)) {
          request.caller = caller;
          done();
          return;
        }
        caller.then((known) => {
          request.caller = known;
          done();
        }, done);
      },
      // Without a body, no promise is created around the handler: promises would slow down answers from memory.
      handler: takesBody ? answerWithBody : (request, reply) => answer(request, reply, undefined),
    });
  }
}

/**
 * Reads the body of a signal, of at most the size that its sender may send, and returns the result of `answer`. Counts
 * the signal as refused when it cannot be read or `answer` rejects.
 */
async function answerSignal<T>(
  unprovenBodies: UnprovenBodies,
  { raw, caller }: FastifyRequest,
  answer: (body: Buffer) => Promise<T>,
): Promise<T> {
  const sender = caller as SignalCaller;
  try {
    if (!sender.isProven) return await unprovenBodies.read(raw, sender.maxBodyBytes, answer);
    return await answer(await readBody(raw, sender.maxBodyBytes));
  } catch (error) {
    sender.refused(error);
    throw error;
  }
}

type Caller = FastifyRequest['caller'];

/** Identifies the caller and counts the request against the rate limit. */
function admit(
  spec: RouteSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  { guards }: BindOptions,
  rate: LocalRateLimit | undefined,
): Promise<Caller> | Caller {
  const caller = identify(spec, request, reply, guards);
  if (rate === undefined) return caller;
  const spent = (known: Caller) => {
    rate.spend(rateKey(spec.access, known, request, reply));
    return known;
  };
  return caller instanceof Promise ? caller.then(spent) : spent(caller);
}

function rateKey(access: Access, caller: Caller, request: FastifyRequest, reply: FastifyReply): string {
  const tokenId = access === 'backend' ? (caller as SdkCaller).tokenId : null;
  return tokenId === null ? infoOf(request, reply).clientAddress : `token ${tokenId}`;
}

function identify(
  spec: RouteSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  guards: Guards,
): Promise<Caller> | Caller {
  const { access } = spec;
  if (access === 'public') return undefined;
  const info = infoOf(request, reply);
  const params = request.params as Record<string, string>;
  if (access === 'signal') return guards.signal(info, params['name'] ?? '', params['secret']);
  if (access === 'stream') return guards.stream(info, (request.query as Record<string, string>)['token']);
  if (access === 'backend' || access === 'frontend' || access === 'sdk') return guards.sdk(info, access);
  if (access === 'replica') return guards.replica(info);
  return identifyAdmin(access, info, request, guards, spec);
}

async function identifyAdmin(
  access: Exclude<Access, 'public' | 'signal' | 'stream' | 'backend' | 'frontend' | 'sdk' | 'replica'>,
  info: RequestInfo,
  request: FastifyRequest,
  guards: Guards,
  spec: RouteSpec,
): Promise<Caller> {
  const params = request.params as Record<string, string>;
  const identity = await guards.admin(info, request.method, spec);
  // Set before the permission is checked, so that the record of a refused change names the caller.
  request.caller = identity;
  const { projectId: project, environment } = params;
  if (access !== 'signed-in') requirePermission(identity, access.permission, { project, environment });
  if (project !== undefined) await guards.project(identity, project);
  return identity;
}

/** The {@link Input} of a handler, without its static types. */
class HandlerInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly request: RequestInfo;

  constructor(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply, body: unknown) {
    this.params = spec.params === undefined ? undefined : parse(spec.params, request.params);
    this.query = spec.query === undefined ? undefined : parse(spec.query, request.query);
    this.body = body;
    this.caller = request.caller;
    this.request = infoOf(request, reply);
  }

  get author(): Author {
    return authorOf(this.caller as Callers['admin'], this.request);
  }
}

async function readRouteBody(spec: RouteSpec, request: FastifyRequest, maxBodyBytes: number): Promise<unknown> {
  checkBodyHeaders(request.headers, ['application/json']);
  return parseRouteBody(spec, await readBody(request.raw, maxBodyBytes));
}

/** Returns the status of a route that declares one answer; undefined for a route that declares several. */
function onlyStatusOf({ answers }: RouteSpec): number | undefined {
  const [status, another] = Object.keys(answers);
  return another === undefined ? Number(status) : undefined;
}

function send(reply: FastifyReply, spec: RouteSpec, answer: AnyAnswer = {}): FastifyReply {
  const status = answer.status ?? onlyStatusOf(spec);
  const payload: Payload | undefined = status === undefined ? undefined : spec.answers[status];
  if (status === undefined || payload === undefined)
    throw new Error(`The route answers ${status}, which the contract does not declare.`);
  // Serialize the body before setting headers: if serializing fails, the error must not be sent with the headers of
  // this answer.
  const json = payload.kind === 'json' ? stringify(payload.schema.parse(answer.body)) : undefined;
  reply.code(status);
  if (spec.secrets === true) reply.header('cache-control', 'no-store');
  if (answer.headers !== undefined) reply.headers(answer.headers);
  reply.server.slowReaders.watch(reply.raw, json ?? answer.body);
  if (json !== undefined) return reply.type('application/json; charset=utf-8').send(json);
  if (payload.kind === 'stream') return sendText(reply, 'application/json', answer.body as AsyncIterable<string>);
  if (payload.kind === 'formats') {
    const body = answer.body as FormattedBody;
    if ('events' in body) return answerWithEvents(reply, body.events);
    return sendText(reply, body.mediaType, body.text);
  }
  if (payload.kind === 'events') return answerWithEvents(reply, answer.body as (stream: EventStream) => void);
  if (payload.kind === 'ready') return reply.type('application/json; charset=utf-8').send(answer.body);
  if (payload.kind === 'text') return reply.type(payload.mediaType).send(answer.body);
  return reply.send();
}

function sendText(reply: FastifyReply, mediaType: string, text: string | AsyncIterable<string>): FastifyReply {
  reply.type(`${mediaType}; charset=utf-8`);
  const { slowReaders } = reply.server;
  if (typeof text === 'string') {
    slowReaders.watch(reply.raw, text);
    return reply.send(text);
  }
  slowReaders.watchStream(reply.raw);
  // Do not pass the stream for HEAD: Fastify would read it to its end and drop it.
  return reply.send(Readable.from(reply.request.method === 'HEAD' ? [] : text, { objectMode: false }));
}

function infoOf(request: FastifyRequest, reply: FastifyReply): RequestInfo {
  request.info ??= new LazyRequestInfo(request, reply);
  return request.info;
}
