import { breakGlassHeader } from '@yardarm/contract';
import type { Author } from '../kernel/actor.ts';
import type { Identity, SdkCaller, SignalCaller } from '../kernel/caller.ts';

/** The request data that every handler gets besides the parsed parameters, query and body. */
export interface RequestInfo {
  readonly requestId: string;
  /** The path of the URL as it was sent, without the query. */
  readonly path: string;
  /** Returns the value of a header by its lower-case name; the first value of a repeated header. */
  header(name: string): string | undefined;
  /** The client's IPv4 address or IPv6 network, behind trusted proxies from X-Forwarded-For. */
  readonly clientAddress: string;
  /** The client's full address for the evaluation context; empty when the connection has been closed. */
  readonly remoteAddress: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Aborts when the client closes the connection before the answer is sent. */
  readonly gone: AbortSignal;
}

/** The types of callers by the `access` of the route. */
export interface Callers {
  admin: Identity;
  sdk: SdkCaller;
  signal: SignalCaller;
}

/**
 * Identify the caller before the body is read. Each guard rejects with 401 when the caller cannot be identified, and
 * with 403 when the token is of another type.
 */
export interface Guards {
  admin(request: RequestInfo, method: string): Promise<Identity>;
  /** Requires a token of this type; `sdk` accepts both types. Returns synchronously when the token is cached. */
  sdk(request: RequestInfo, type: 'backend' | 'frontend' | 'sdk'): Promise<SdkCaller> | SdkCaller;
  /** Requires the token in the URL of a stream. */
  stream(request: RequestInfo, token: string | undefined): Promise<SdkCaller>;
  signal(request: RequestInfo, endpointName: string): Promise<SignalCaller>;
}

/** Returns the author of the changes that `identity` makes in `request`. */
export function authorOf(identity: Identity, request: RequestInfo): Author {
  const breakGlassReason = request.header(breakGlassHeader.toLowerCase());
  return {
    actor: identity.actor,
    cause: { requestId: request.requestId },
    can: (permission, scope) => identity.can(permission, scope),
    hidden: identity.hidden,
    ...(breakGlassReason === undefined ? {} : { breakGlassReason }),
  };
}
