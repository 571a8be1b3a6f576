import { isoTime } from '../../kernel/clock.ts';
import { JsonText } from '../../kernel/json-text.ts';
import type { SignalEndpoint, SignalToken } from './endpoint.ts';
import type { ReceivedSignal } from './queries.ts';
import { type Accepted, type Signal, sendersToken, testTokenId } from './signal.ts';

const source = 'signal-endpoint' as const;

/** `callBase` is the address that endpoint names are appended to. */
export function presentEndpoint(endpoint: SignalEndpoint, tokens: readonly SignalToken[], callBase: string) {
  return {
    id: endpoint.id,
    name: endpoint.name,
    description: endpoint.description,
    enabled: endpoint.enabled,
    createdAt: isoTime(endpoint.createdAt),
    createdByUserId: endpoint.createdByUserId,
    url: `${callBase}/api/signal-endpoint/${endpoint.name}`,
    tokens: tokens.filter((token) => token.endpointId === endpoint.id).map(presentToken),
  };
}

export function presentToken(token: SignalToken) {
  return {
    id: token.id,
    name: token.name,
    signalEndpointId: token.endpointId,
    createdAt: isoTime(token.createdAt),
    createdByUserId: token.createdByUserId,
  };
}

export function presentAccepted({ signal, duplicate }: Accepted) {
  return { signals: [presentSignal(signal)], duplicate };
}

function presentSignal(signal: Signal) {
  return {
    id: signal.id,
    source,
    sourceId: signal.endpointId,
    createdAt: isoTime(signal.createdAt),
    createdBySourceTokenId: sendersToken(signal.tokenId),
    payload: new JsonText(signal.payload),
  };
}

/** A received signal as JSON text: of an endpoint, or of all of them with where it came from, with its payload or without. */
export function receivedJson(signal: ReceivedSignal, among: 'endpoint' | 'all', withPayload: boolean): string {
  const fields = {
    id: signal.id,
    source,
    sourceId: signal.endpointId,
    createdAt: isoTime(signal.createdAt),
    tokenName: signal.tokenName,
    test: signal.tokenId === testTokenId,
    ...(among === 'all' ? { sourceName: signal.endpointName, sourceDescription: signal.endpointDescription } : {}),
  };
  const text = JSON.stringify(fields);
  return withPayload ? `${text.slice(0, -1)},"payload":${signal.payload}}` : text;
}
