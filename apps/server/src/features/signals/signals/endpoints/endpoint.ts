import type { OwnFields, SignalAuthentication, SignalSourceName } from '@yardarm/contract';
import type { Filters } from '#features/platform/payload-filters/index.ts';
import { signalSources, sourceOf } from '#features/signals/signal-sources/index.ts';
import { isoTimeOrNull } from '#kernel/clock.ts';

/** The limits of an endpoint. */
export interface EndpointLimits {
  /** Signals a second from one token; 0 lifts the limit. */
  readonly ratePerSecond: number;
  /** Signals that a token may send above the rate within ten seconds. */
  readonly burst: number;
  readonly maxBodyBytes: number;
}

/** A signal endpoint: an address that senders call with a signal token (docs/spec#signal-endpoint). */
export interface SignalEndpoint {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly source: SignalSourceName;
  /** True when all tokens belong to one sender, as those of a pair of Alertmanagers do. */
  readonly oneSender: boolean;
  /** The limits that the owner of the endpoint set; null where the source or the settings decide. */
  readonly ratePerSecond: number | null;
  readonly burst: number | null;
  readonly maxBodyBytes: number | null;
  readonly maxElements: number | null;
  /** The paths of the recognised fields; null where the source defines them. */
  readonly fields: OwnFields | null;
  /** The paths whose values are dropped. */
  readonly dropped: readonly string[];
  /** The paths whose values are hashed. */
  readonly hashed: readonly string[];
  /** The days to keep its signals; null where the setting decides. */
  readonly retentionDays: number | null;
  /** The time from which the endpoint is disabled; null when there is no such time. */
  readonly enabledUntil: number | null;
  /** The minutes within which a signal is expected; null when no signal is expected. */
  readonly expectedMinutes: number | null;
  /** The filters that an expected signal passes; without filters, every signal of a sender is expected. */
  readonly expectedFilters: Filters;
  /**
   * While the endpoint is silent: the time of the last expected signal, or from which a signal was expected. Otherwise
   * null.
   */
  readonly silentSince: number | null;
  /** `keep`: signals are stored while the endpoint is disabled. */
  /** `keep` is for senders that report the end of an alert once: what it held would stay held. */
  readonly whenDisabled: 'refuse' | 'keep';
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** A signal token, without its secret. */
export interface SignalToken {
  readonly id: number;
  readonly endpointId: number;
  readonly name: string;
  /** The name of the sender, which tokens of one sender share; null for the unnamed sender. */
  readonly sender: string | null;
  readonly authentication: SignalAuthentication;
  /** The lower-case name of the header with the secret. */
  readonly header: string | null;
  /** The limits of the token; null where only those of the endpoint apply. */
  readonly ratePerSecond: number | null;
  readonly burst: number | null;
  readonly maxBodyBytes: number | null;
  /** The time from which the token is refused; null when it does not expire. */
  readonly enabledUntil: number | null;
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** The number of elements of a signal that actions run for, where the owner of the endpoint sets none. */
const defaultMaxElements = 100;

/**
 * Returns the limits of an endpoint: its own, or else those of the settings, and at least those that its source needs.
 */
export function limitsOf(
  endpoint: Pick<SignalEndpoint, 'source' | 'ratePerSecond' | 'burst' | 'maxBodyBytes' | 'maxElements'>,
  settings: EndpointLimits,
): EndpointLimits & { readonly maxElements: number } {
  const needed: Partial<EndpointLimits> | undefined = signalSources[endpoint.source].limits;
  return {
    ratePerSecond: endpoint.ratePerSecond ?? settings.ratePerSecond,
    burst: endpoint.burst ?? Math.max(needed?.burst ?? 0, settings.burst),
    maxBodyBytes: endpoint.maxBodyBytes ?? Math.max(needed?.maxBodyBytes ?? 0, settings.maxBodyBytes),
    maxElements: maxElementsOf(endpoint),
  };
}

/** Returns the limits of a token: of each limit, the stricter value of the endpoint and the token. */
export function stricterLimits(
  endpoint: EndpointLimits,
  token: Pick<SignalToken, 'ratePerSecond' | 'burst' | 'maxBodyBytes'>,
): EndpointLimits {
  const rate = Math.min(endpoint.ratePerSecond || Infinity, token.ratePerSecond ?? Infinity);
  return {
    ratePerSecond: rate === Infinity ? 0 : rate,
    burst: Math.min(endpoint.burst, token.burst ?? Infinity),
    maxBodyBytes: Math.min(endpoint.maxBodyBytes, token.maxBodyBytes ?? Infinity),
  };
}

/** Returns the number of elements of a signal that actions run for. */
export function maxElementsOf({ source, maxElements }: Pick<SignalEndpoint, 'source' | 'maxElements'>): number {
  const needed: { readonly maxElements?: number } | undefined = signalSources[source].limits;
  return maxElements ?? needed?.maxElements ?? defaultMaxElements;
}

/** Returns the path of the array of alerts in the payloads of an endpoint; undefined when they have none. */
export function alertsPathOf(endpoint: Pick<SignalEndpoint, 'source' | 'fields'>): string | undefined {
  return sourceOf(endpoint).fields?.elements?.path;
}

/** Returns whether an endpoint is enabled. */
export function isEnabled({ enabled, enabledUntil }: Pick<SignalEndpoint, 'enabled' | 'enabledUntil'>, now: number) {
  return enabled && (enabledUntil === null || now < enabledUntil);
}

/** Returns whether an endpoint takes signals: enabled ones, and those that keep signals while they are disabled. */
export function takesSignals(
  endpoint: Pick<SignalEndpoint, 'enabled' | 'enabledUntil' | 'whenDisabled'>,
  now: number,
): boolean {
  return endpoint.whenDisabled === 'keep' || isEnabled(endpoint, now);
}

/** Returns the fields of an endpoint that events record. */
export function endpointEventData(endpoint: SignalEndpoint): Record<string, unknown> {
  const { id, name, description, enabled, source, ratePerSecond, burst, maxBodyBytes, fields, dropped } = endpoint;
  const { hashed, maxElements, whenDisabled, retentionDays, expectedMinutes, expectedFilters, oneSender } = endpoint;
  const enabledUntil = isoTimeOrNull(endpoint.enabledUntil);
  return {
    ...{ id, name, description, enabled, source, oneSender, ratePerSecond, burst, maxBodyBytes, maxElements },
    ...{ fields, dropped, hashed, whenDisabled, retentionDays, expectedMinutes, expectedFilters, enabledUntil },
  };
}

/** Returns the fields of a token that events record, never its secret. */
export function tokenEventData(token: SignalToken): Record<string, unknown> {
  const { id, name, sender, endpointId, authentication, header, ratePerSecond, burst, maxBodyBytes } = token;
  return {
    ...{ id, name, sender, signalEndpointId: endpointId, authentication, header, ratePerSecond, burst, maxBodyBytes },
    enabledUntil: isoTimeOrNull(token.enabledUntil),
  };
}
