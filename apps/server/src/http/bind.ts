import { Readable } from 'node:stream';
import type { Access, Payload, RouteKey, RouteSpec, RouteTable } from '@yardarm/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { stringify } from '../kernel/json-text.ts';
import { checkEncoding, checkMediaType, decodeUtf8, parseJson, readBody } from './body.ts';
import { answerWithEvents, type EventStream } from './event-stream.ts';
import type { Handlers } from './handler.ts';
import { parse } from './parse.ts';
import { requirePermission, requireVisible } from './permission.ts';
import type { Callers, Guards, RequestInfo } from './request.ts';
import { LazyRequestInfo } from './request-info.ts';

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

/** What a handler is at run time; its types were checked where the table was bound. */
type AnyHandler = (input: Record<string, unknown>) => Promise<AnyAnswer> | AnyAnswer;
interface AnyAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

export interface BindOptions {
  readonly guards: Guards;
  /** Largest body of a route in bytes. */
  maxBodyBytes(key: string): number;
}

/** Serves every route of `table`: identity and permission, then body, then the handler, then the shaped answer. */
export function bindRoutes<T extends RouteTable>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T>,
  options: BindOptions,
): void {
  for (const key of Object.keys(table) as RouteKey[]) {
    const spec = table[key] as RouteSpec;
    const [method, url] = key.split(' ') as [string, string];
    const handler = (handlers as unknown as Record<string, AnyHandler>)[key] as AnyHandler;
    const maxBodyBytes = options.maxBodyBytes(key);
    const takesBody = spec.body !== undefined || spec.rawBody !== undefined;
    const answer = (request: FastifyRequest, reply: FastifyReply, body: unknown) => {
      const answered = handler(inputOf(spec, request, body));
      return answered instanceof Promise
        ? answered.then((later) => send(reply, spec, later))
        : send(reply, spec, answered);
    };
    app.route({
      method: method as 'GET',
      url,
      config: { spec, maxBodyBytes },
      onRequest: (request, _reply, done) => {
        const caller = identify(spec.access, request, options.guards);
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
      // What is answered from memory is answered without a pause: each promise on the way costs.
      handler: takesBody
        ? async (request, reply) => answer(request, reply, await readRouteBody(spec, request, maxBodyBytes))
        : (request, reply) => answer(request, reply, undefined),
    });
  }
}

type Caller = FastifyRequest['caller'];

function identify(access: Access, request: FastifyRequest, guards: Guards): Promise<Caller> | Caller {
  if (access === 'public') return undefined;
  const info = infoOf(request);
  const params = request.params as Record<string, string>;
  if (access === 'signal') return guards.signal(info, params['name'] ?? '');
  if (access === 'stream') return guards.stream(info, (request.query as Record<string, string>)['token']);
  if (access === 'backend' || access === 'frontend' || access === 'sdk') return guards.sdk(info, access);
  return identifyAdmin(access, info, request, guards);
}

async function identifyAdmin(
  access: Exclude<Access, 'public' | 'signal' | 'stream' | 'backend' | 'frontend' | 'sdk'>,
  info: RequestInfo,
  request: FastifyRequest,
  guards: Guards,
): Promise<Caller> {
  const params = request.params as Record<string, string>;
  const identity = await guards.admin(info, request.method);
  const { projectId: project, environment } = params;
  if (access !== 'signed-in') requirePermission(identity, access.permission, { project, environment });
  else if (project !== undefined) requireVisible(identity, project);
  return identity;
}

function inputOf(spec: RouteSpec, request: FastifyRequest, body: unknown): Record<string, unknown> {
  return {
    params: spec.params === undefined ? undefined : parse(spec.params, request.params),
    query: spec.query === undefined ? undefined : parse(spec.query, request.query),
    body,
    caller: request.caller,
    request: infoOf(request),
  };
}

async function readRouteBody(spec: RouteSpec, request: FastifyRequest, maxBodyBytes: number): Promise<unknown> {
  const { headers } = request;
  const checkHeaders = () => {
    checkMediaType(spec, headers['content-type']);
    checkEncoding(headers['content-encoding']);
  };
  if (spec.rawBody !== undefined) {
    const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
    if (declared === 0) return null;
    if (declared !== undefined) checkHeaders();
    const text = decodeUtf8(await readBody(request.raw, maxBodyBytes));
    if (text === '') return null;
    // Of a body in chunks, only reading it tells whether there is any.
    checkHeaders();
    return text;
  }
  checkHeaders();
  return parse(spec.body as z.ZodType, parseJson(decodeUtf8(await readBody(request.raw, maxBodyBytes))));
}

function send(reply: FastifyReply, spec: RouteSpec, answer: AnyAnswer): FastifyReply {
  const payload = spec.answers[answer.status] as Payload;
  // Shaped before its headers are set: should that fail, none of them goes with the error.
  const json = payload.kind === 'json' ? stringify(payload.schema.parse(answer.body)) : undefined;
  reply.code(answer.status);
  if (spec.secrets === true) reply.header('cache-control', 'no-store');
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (json !== undefined) return reply.type('application/json; charset=utf-8').send(json);
  if (payload.kind === 'stream') {
    // For HEAD the framework would read it to the end and throw it away.
    const body = reply.request.method === 'HEAD' ? [] : (answer.body as AsyncIterable<string>);
    return reply.type('application/json; charset=utf-8').send(Readable.from(body, { objectMode: false }));
  }
  if (payload.kind === 'events') return answerWithEvents(reply, answer.body as (stream: EventStream) => void);
  if (payload.kind === 'ready') return reply.type('application/json; charset=utf-8').send(answer.body);
  if (payload.kind === 'text') return reply.type(payload.mediaType).send(answer.body);
  return reply.send();
}

function infoOf(request: FastifyRequest): RequestInfo {
  request.info ??= new LazyRequestInfo(request);
  return request.info;
}
