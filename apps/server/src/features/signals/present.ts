import { isoTime } from '../../kernel/clock.ts';
import { JsonText } from '../../kernel/json-text.ts';
import type { SignalEndpoint, SignalToken } from './endpoint.ts';
import type { ReceivedSignal } from './queries.ts';
import { type AcceptedSignal, type Signal, senderTokenId, testTokenId } from './signal.ts';

const source = 'signal-endpoint' as const;

export function presentEndpoint(endpoint: SignalEndpoint, tokens: readonly SignalToken[], publicUrl: string) {
  return {
    id: endpoint.id,
    name: endpoint.name,
    description: endpoint.description,
    enabled: endpoint.enabled,
    createdAt: isoTime(endpoint.createdAt),
    createdByUserId: endpoint.createdByUserId,
    url: `${publicUrl}/api/signal-endpoint/${endpoint.name}`,
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

export function presentAccepted({ signal, duplicate }: AcceptedSignal) {
  return { signals: [presentSignal(signal)], duplicate };
}

function presentSignal(signal: Signal) {
  return {
    id: signal.id,
    source,
    sourceId: signal.endpointId,
    createdAt: isoTime(signal.createdAt),
    createdBySourceTokenId: senderTokenId(signal.tokenId),
    payload: new JsonText(signal.payload),
  };
}

/** Returns a received signal as JSON text. A list of all endpoints (`all`) also names the endpoint of each signal. */
export function receivedJson(signal: ReceivedSignal, listedBy: 'endpoint' | 'all', withPayload: boolean): string {
  const fields = {
    id: signal.id,
    source,
    sourceId: signal.endpointId,
    createdAt: isoTime(signal.createdAt),
    tokenName: signal.tokenName,
    test: signal.tokenId === testTokenId,
    ...(listedBy === 'all' ? { sourceName: signal.endpointName, sourceDescription: signal.endpointDescription } : {}),
  };
  const text = JSON.stringify(fields);
  return withPayload ? `${text.slice(0, -1)},"payload":${signal.payload}}` : text;
}
