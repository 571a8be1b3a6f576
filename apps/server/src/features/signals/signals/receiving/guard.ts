import { endpointNamePattern, type RefusalReason } from '@yardarm/contract';
import { touches } from '#features/platform/event-effects/index.ts';
import { type Certificates, type SignedRequest, signalSources } from '#features/signals/signal-sources/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import { requireSize } from '#http/body.ts';
import type { Guards } from '#http/request.ts';
import type { SignalSender } from '#http/signal-caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import {
  type EndpointAccess,
  type EndpointLimits,
  findEndpointAccess,
  type TokenAccess,
  takesSignals,
} from '../endpoints/index.ts';
import type { Refusals } from '../log/index.ts';
import { type Presented, presentedSecret, secretInHeaders } from './credentials.ts';
import { EndpointRates } from './endpoint-rates.ts';

export interface SignalGuardOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: EndpointLimits;
  readonly badTokens: BadTokenLimit;
  readonly refusals: Refusals;
  readonly certificates: Certificates;
}

/** The headers with which a sender signs its requests. */
const signatureHeaders = Object.values(signalSources).flatMap(({ signature }) => signature?.header ?? []);

/**
 * Admits requests that bear a token of the endpoint they call, or whose body is signed with the secret of one
 * (docs/spec#signal-tokens). Rejects with 401 for any other request and for an unknown endpoint, with 404 when the
 * endpoint is disabled, and with 429 over the token's rate.
 */
export function createSignalGuard(options: SignalGuardOptions): Guards['signal'] {
  const { database, badTokens, refusals } = options;
  const endpoints = new ReadThroughCache(
    database.feed,
    (event) => touches(event, 'signal-endpoints'),
    // PostgreSQL rejects texts with U+0000, which a path can hold.
    async (name) =>
      endpointNamePattern.test(name) ? findEndpointAccess(database.db, name, options.limits) : undefined,
    10_000,
  );
  const admitted = admission(options);
  return async (request, name, pathSecret) => {
    const { clientAddress: address } = request;
    const refuse = (endpoint: EndpointAccess | undefined, reason: RefusalReason): Problem => {
      if (endpoint !== undefined) refusals.count({ endpointId: endpoint.endpointId, tokenId: null, reason, address });
      return unauthorized();
    };
    const header = (headerName: string) => request.header(headerName);
    const presented = presentedSecret(header, pathSecret);
    // An Authorization header may be meant for a server in front of this one, so the other credentials count, too.
    const tokenAmong = (endpoint: EndpointAccess | undefined): TokenAccess | undefined =>
      matchingToken(endpoint, presented) ?? matchingToken(endpoint, secretInHeaders(header, endpoint?.headers ?? []));
    const first = presented ?? secretInHeaders(header, (await endpoints.get(name))?.headers ?? []);
    const cached = first && tokenAmong(endpoints.peek(name));
    const isSigned = cached === undefined && signatureHeaders.some((headerName) => header(headerName) !== undefined);
    if (first !== undefined && !isSigned) {
      const find = async () => tokenAmong(await endpoints.get(name));
      const token = cached ?? (await badTokens.lookUp(address, secretHash(first.secret), find));
      const endpoint = endpoints.peek(name) ?? (await endpoints.get(name));
      if (endpoint === undefined || token === undefined) throw refuse(endpoint, 'unknown token');
      const sender = await admitted(endpoint, token, address);
      return {
        isProven: true,
        maxBodyBytes: token.limits.maxBodyBytes,
        identify: () => sender,
        refused: (error) => refusals.countError({ endpointId: endpoint.endpointId, tokenId: token.id, address }, error),
      };
    }
    const endpoint = await endpoints.get(name);
    // The body of every request with a signature header is read, so that the answer does not reveal whether the
    // endpoint exists or takes signatures. It does when the endpoint has a body limit of its own: the answer to a
    // larger body names the limit, because a sender must learn it.
    if (!isSigned) throw refuse(endpoint, 'no credentials');
    let tokenId: number | null = null;
    const identify = async (body: Buffer) => {
      const { clock, certificates } = options;
      const known = tokenAmong(endpoint);
      const verified: VerifiedToken =
        known === undefined
          ? await verifySignature(endpoint, { header, body, now: clock.now(), certificates })
          : { token: known };
      if (endpoint !== undefined && verified.isUndecided === true) {
        refuse(endpoint, verified.refusal ?? 'no certificate');
        throw undecided();
      }
      const token = await badTokens.lookUp(address, `signature for ${name}`, async () => verified.token);
      if (endpoint === undefined || token === undefined)
        throw refuse(endpoint, verified.refusal ?? (first === undefined ? 'no signature' : 'unknown token'));
      const sender = await admitted(endpoint, token, address, verified.signature);
      tokenId = token.id;
      requireSize(body, token.limits.maxBodyBytes);
      return sender;
    };
    if (endpoint === undefined)
      return { isProven: false, maxBodyBytes: options.limits.maxBodyBytes, identify, refused: () => undefined };
    return {
      isProven: false,
      maxBodyBytes: endpoint.maxBodyBytes,
      identify,
      refused: (error) => refusals.countError({ endpointId: endpoint.endpointId, tokenId, address }, error),
    };
  };
}

/**
 * Returns the function that admits a request and returns its sender. The function counts the request against the limits
 * of its token. It rejects with 401 for an expired token, with 429 over a limit, and with 404 for a disabled endpoint.
 */
function admission({ database, clock, refusals }: SignalGuardOptions) {
  const rates = new EndpointRates(database, clock);
  return async (
    endpoint: EndpointAccess,
    token: TokenAccess,
    address: string,
    signature: string | null = null,
  ): Promise<SignalSender> => {
    const { endpointId, source, fields, redaction, oneSender } = endpoint;
    const request = { endpointId, tokenId: token.id, address };
    if (token.enabledUntil !== null && clock.now() >= token.enabledUntil) {
      refusals.count({ ...request, reason: 'token expired' });
      throw unauthorized();
    }
    try {
      await rates.spend(token.limits, token.id);
    } catch (error) {
      refusals.count({ ...request, reason: 'rate limit' });
      throw error;
    }
    if (!takesSignals(endpoint, clock.now())) {
      refusals.count({ ...request, reason: 'disabled' });
      throw new Problem('NotFoundError', `The signal endpoint ${endpoint.name} is disabled.`);
    }
    const { maxBodyBytes } = token.limits;
    const sender = oneSender ? null : token.sender;
    return { endpointId, tokenId: token.id, sender, signature, source, fields, redaction, maxBodyBytes };
  };
}

function matchingToken(
  endpoint: EndpointAccess | undefined,
  presented: Presented | undefined,
): TokenAccess | undefined {
  if (endpoint === undefined || presented === undefined) return undefined;
  const token = endpoint.byHash.get(secretHash(presented.secret));
  return token?.authentication === presented.authentication && token.header === presented.header ? token : undefined;
}

/** The token whose secret has signed a body, with the signature; or why there is none. */
interface VerifiedToken {
  /** Whether the same request may be accepted within a minute. */
  readonly isUndecided?: boolean;
  readonly token?: TokenAccess;
  readonly signature?: string;
  readonly refusal?: RefusalReason;
}

/** Returns the token whose secret has signed a body, or why there is none. */
async function verifySignature(
  endpoint: EndpointAccess | undefined,
  request: Omit<SignedRequest, 'endpointId'>,
): Promise<VerifiedToken> {
  if (endpoint === undefined) return {};
  const { signature } = signalSources[endpoint.source];
  let refusal: RefusalReason | undefined;
  let isUndecided = false;
  for (const token of endpoint.signing) {
    const verdict = await signature?.verify(token.signingSecret, { ...request, endpointId: endpoint.endpointId });
    if (verdict === undefined) continue;
    if ('signature' in verdict) return { token, signature: verdict.signature };
    isUndecided ||= verdict.isUndecided === true;
    refusal = refusal === 'expired' ? refusal : verdict.refusal;
  }
  return { isUndecided, ...(refusal === undefined ? {} : { refusal }) };
}

/** Returns the 503 for a request whose signature cannot be verified now. A sender repeats it, unlike after a 401. */
function undecided(): Problem {
  return new Problem(
    'ServiceUnavailableError',
    'The signature cannot be verified now, because the certificate of the sender could not be read. Send the request again.',
    { headers: { 'retry-after': '60' } },
  );
}

/** Returns the same 401 for every cause, so that it does not reveal which endpoints exist. */
function unauthorized(): Problem {
  return new Problem(
    'UnauthorizedError',
    'The token of the signal endpoint is missing or not valid. Send one in the Authorization header: Bearer signal_…',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}
