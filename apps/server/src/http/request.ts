import { breakGlassHeader, changeReasonHeader, longestChangeReason, type RouteSpec } from '@yardarm/contract';
import type { Actor, Author } from '#kernel/actor.ts';
import type { Identity, ReadScope, SdkCaller } from '#kernel/caller.ts';
import { reasonIn } from './reason-header.ts';
import { originOf } from './request-origin.ts';
import type { SignalCaller } from './signal-caller.ts';

/** The request data that every handler gets besides the parsed parameters, query and body. */
export interface RequestInfo {
  readonly requestId: string;
  /** The path of the URL as it was sent, without the query. */
  readonly path: string;
  /** The query of the URL as it was sent, with its question mark; empty without a query. */
  readonly search: string;
  /** Returns the value of a header by its lower-case name; the first value of a repeated header. */
  header(name: string): string | undefined;
  /** Returns the headers whose names begin with a prefix, without it; of a repeated header the first value. */
  headersAfter(prefix: string): Readonly<Record<string, string>>;
  /** The client's IPv4 address or IPv6 network. Behind trusted proxies it comes from X-Forwarded-For. */
  readonly clientAddress: string;
  /** The client's full address for the evaluation context; empty when the connection has been closed. */
  readonly remoteAddress: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Aborts when the client closes the connection before the answer is sent. */
  readonly gone: AbortSignal;
  /** Aborts when the server begins to stop, so that a request that waits for events is answered at once. */
  readonly stopping: AbortSignal;
}

/** The type of the caller by kind of route: the admin API, the APIs of SDKs and replicas, and signal endpoints. */
export interface Callers {
  admin: Identity;
  sdk: SdkCaller;
  replica: ReadScope;
  signal: SignalCaller;
}

/**
 * The guards, which identify the caller before the body is read. Each guard rejects with 401 when the caller cannot be
 * identified, and with 403 when the token is of another type.
 */
export interface Guards {
  admin(request: RequestInfo, method: string, spec: Pick<RouteSpec, 'duringMaintenance'>): Promise<Identity>;
  /** Rejects with the same 404 for a project that does not exist and for one that is hidden from the caller. */
  project(identity: Identity, project: string): Promise<void>;
  /** Requires a token of this type; `sdk` accepts both types. Returns synchronously when the token is cached. */
  sdk(request: RequestInfo, type: 'backend' | 'frontend' | 'sdk'): Promise<SdkCaller> | SdkCaller;
  /** Requires the token of a replica. */
  replica(request: RequestInfo): Promise<ReadScope> | ReadScope;
  /** Requires the token in the URL of a stream. */
  stream(request: RequestInfo, token: string | undefined): Promise<SdkCaller>;
  /** `pathSecret` is the secret of the sender, for routes that have the secret in their path. */
  signal(request: RequestInfo, endpointName: string, pathSecret: string | undefined): Promise<SignalCaller>;
}

const longestBreakGlassReason = 1000;

/**
 * Returns the author of the changes that `identity` makes in `request`. Throws a 400 when the header with the change
 * reason or with the reason for breaking glass is invalid.
 */
export function authorOf(identity: Identity, request: RequestInfo): Author {
  const reason = reasonIn(request, changeReasonHeader, longestChangeReason);
  const breakGlassReason = reasonIn(request, breakGlassHeader, longestBreakGlassReason);
  return {
    actor: identity.actor,
    cause: { requestId: request.requestId },
    can: (permission, scope) => identity.can(permission, scope),
    hidden: identity.hidden,
    origin: originOf(request, identity),
    ...(reason === undefined ? {} : { reason }),
    ...(breakGlassReason === undefined ? {} : { breakGlassReason }),
  };
}

/**
 * Returns the author of the changes of a request to a public route, such as a login. `sessionId` is the session that
 * the handler has found for the request.
 */
export function publicAuthorOf(actor: Actor, request: RequestInfo, sessionId: number | null = null): Author {
  const origin = originOf(request, { kind: 'anonymous', sessionId, tokenId: null });
  return { actor, cause: { requestId: request.requestId }, origin };
}
