import type { Payload, RouteSpec, RouteTable } from '@yardarm/contract';
import type { z } from 'zod';
import type { Author } from '#kernel/actor.ts';
import type { EventStream } from './event-stream.ts';
import type { Callers, RequestInfo } from './request.ts';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

type CallerOf<R extends RouteSpec> = R['access'] extends 'public'
  ? undefined
  : R['access'] extends 'backend' | 'frontend' | 'sdk' | 'stream'
    ? Callers['sdk']
    : R['access'] extends 'replica'
      ? Callers['replica']
      : R['access'] extends 'signal'
        ? Callers['signal']
        : Callers['admin'];

export interface Input<R extends RouteSpec> {
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  /** The parsed body; for routes with a raw body the bytes as they were sent. */
  readonly body: R['rawBody'] extends object ? Buffer : Parsed<R['body']>;
  readonly caller: CallerOf<R>;
  /**
   * The author of the changes that a caller of the admin API makes. Reading it throws a 400 when the header with the
   * change reason or with the reason for breaking glass is invalid.
   */
  readonly author: CallerOf<R> extends Callers['admin'] ? Author : never;
  readonly request: RequestInfo;
}

/** A body in the media type that the request chose: text, or a stream of server-sent events. */
export type FormattedBody =
  | { readonly mediaType: string; readonly text: string | AsyncIterable<string> }
  | { readonly events: (stream: EventStream) => void };

/** Response headers. A list sends the header several times, such as Set-Cookie. */
type Headers = Readonly<Record<string, string | string[]>>;

type BodyOf<P extends Payload> = P extends { kind: 'json'; schema: infer S extends z.ZodType }
  ? { readonly body: z.input<S> }
  : P extends { kind: 'stream' }
    ? { readonly body: AsyncIterable<string> }
    : P extends { kind: 'events' }
      ? { readonly body: (stream: EventStream) => void }
      : P extends { kind: 'formats' }
        ? { readonly body: FormattedBody }
        : P extends { kind: 'ready' }
          ? { readonly body: Uint8Array }
          : P extends { kind: 'text' }
            ? { readonly body: string | Uint8Array }
            : { readonly body?: undefined };

type StatusOf<R extends RouteSpec> = keyof R['answers'] & number;

/** The status of a route that declares one answer; never for a route that declares several. */
type OnlyStatus<R extends RouteSpec, S = StatusOf<R>> = S extends unknown
  ? [StatusOf<R>] extends [S]
    ? S
    : never
  : never;

/** One of the declared answers of the route, with its body. The status can be left out where there is one answer. */
export type Answer<R extends RouteSpec> = {
  [S in StatusOf<R>]: (S extends OnlyStatus<R> ? { readonly status?: S } : { readonly status: S }) & {
    readonly headers?: Headers;
  } & BodyOf<R['answers'][S]>;
}[StatusOf<R>];

/** A promise of nothing, for a route whose one answer has no body. */
type Done<R extends RouteSpec, S = OnlyStatus<R>> =
  S extends StatusOf<R> ? (R['answers'][S] extends { readonly kind: 'empty' } ? Promise<void> : never) : never;

export type Handler<R extends RouteSpec> = (input: Input<R>) => Promise<Answer<R>> | Answer<R> | Done<R>;

/** A handler for every route of a table. A missing handler or one with wrong types does not compile. */
export type Handlers<T extends RouteTable> = {
  readonly [K in keyof T]: T[K] extends RouteSpec ? Handler<T[K]> : never;
};
