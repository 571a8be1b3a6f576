/** A place that signals are sent to, with the tokens that open it (docs/spec#signal-endpoint). */
export interface SignalEndpoint {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** A sender's token, without its secret. */
export interface SignalToken {
  readonly id: number;
  readonly endpointId: number;
  readonly name: string;
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** An endpoint as the event log keeps it. */
export function endpointEventData(endpoint: SignalEndpoint): Record<string, unknown> {
  const { id, name, description, enabled } = endpoint;
  return { id, name, description, enabled };
}

/** A token as the event log keeps it: which, of which endpoint, and never its secret. */
export function tokenEventData(token: SignalToken): Record<string, unknown> {
  return { id: token.id, name: token.name, signalEndpointId: token.endpointId };
}
