import { presentFilters } from '#features/platform/payload-filters/index.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import { type EndpointLimits, limitsOf, type SignalEndpoint, type SignalToken } from './endpoint.ts';

/** Returns an endpoint with its tokens, without their secrets. */
export function presentEndpoint(
  endpoint: SignalEndpoint,
  tokens: readonly SignalToken[],
  limits: EndpointLimits,
  publicUrl: string,
) {
  return {
    id: endpoint.id,
    name: endpoint.name,
    description: endpoint.description,
    enabled: endpoint.enabled,
    source: endpoint.source,
    oneSender: endpoint.oneSender,
    ratePerSecond: endpoint.ratePerSecond,
    burst: endpoint.burst,
    maxBodyBytes: endpoint.maxBodyBytes,
    maxElements: endpoint.maxElements,
    whenDisabled: endpoint.whenDisabled,
    fields: endpoint.fields,
    dropped: [...endpoint.dropped],
    hashed: [...endpoint.hashed],
    retentionDays: endpoint.retentionDays,
    enabledUntil: isoTimeOrNull(endpoint.enabledUntil),
    expectedMinutes: endpoint.expectedMinutes,
    expectedFilters: presentFilters(endpoint.expectedFilters),
    silentSince: isoTimeOrNull(endpoint.silentSince),
    limits: limitsOf(endpoint, limits),
    createdAt: isoTime(endpoint.createdAt),
    createdByUserId: endpoint.createdByUserId,
    url: `${publicUrl}/api/signal-endpoint/${endpoint.name}`,
    tokens: tokens.filter((token) => token.endpointId === endpoint.id).map(presentToken),
  };
}

/** Returns a token without its secret. */
export function presentToken(token: SignalToken) {
  return {
    id: token.id,
    name: token.name,
    sender: token.sender,
    signalEndpointId: token.endpointId,
    authentication: token.authentication,
    header: token.header,
    ratePerSecond: token.ratePerSecond,
    burst: token.burst,
    maxBodyBytes: token.maxBodyBytes,
    enabledUntil: isoTimeOrNull(token.enabledUntil),
    createdAt: isoTime(token.createdAt),
    createdByUserId: token.createdByUserId,
  };
}
