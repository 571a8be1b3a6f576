import { breakGlassHeader } from '@yardarm/contract';
import type { Author } from '../kernel/actor.ts';
import type { Identity, SdkCaller, SignalCaller } from '../kernel/caller.ts';

/** What every handler gets of a request, besides its parsed parameters, query and body. */
export interface RequestInfo {
  readonly requestId: string;
  /** Of the URL, as it was sent, without the query. */
  readonly path: string;
  /** Header values by lower-case name; of a repeated header the first. */
  header(name: string): string | undefined;
  /** Where the client is, behind trusted proxies as they name it: its IPv4 address or its IPv6 network. */
  readonly clientAddress: string;
  /** The client's address itself, as a context of evaluation needs it; empty when its connection has ended. */
  readonly remoteAddress: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Aborts when the client closes the connection before the answer is sent. */
  readonly gone: AbortSignal;
}

/** Who calls, by what the route's `access` asks for. */
export interface Callers {
  admin: Identity;
  sdk: SdkCaller;
  signal: SignalCaller;
}

/**
 * Decides who calls, before the body is read. Each throws a 401 when the caller cannot be identified and a
 * 403 when its token is of another kind.
 */
export interface Guards {
  admin(request: RequestInfo, method: string): Promise<Identity>;
  /** Of a token of that kind, `sdk` being either. Answers at once when the token is in memory. */
  sdk(request: RequestInfo, type: 'backend' | 'frontend' | 'sdk'): Promise<SdkCaller> | SdkCaller;
  /** Of the token in the URL of a stream. */
  stream(request: RequestInfo, token: string | undefined): Promise<SdkCaller>;
  signal(request: RequestInfo, endpointName: string): Promise<SignalCaller>;
}

/** The author of what `identity` does in `request`. */
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
