/** A signal endpoint: an address that senders call with a signal token (docs/spec#signal-endpoint). */
export interface SignalEndpoint {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** A signal token, without its secret. */
export interface SignalToken {
  readonly id: number;
  readonly endpointId: number;
  readonly name: string;
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** Returns the fields of an endpoint that events record. */
export function endpointEventData(endpoint: SignalEndpoint): Record<string, unknown> {
  const { id, name, description, enabled } = endpoint;
  return { id, name, description, enabled };
}

/** Returns the fields of a token that events record, never its secret. */
export function tokenEventData(token: SignalToken): Record<string, unknown> {
  return { id: token.id, name: token.name, signalEndpointId: token.endpointId };
}
