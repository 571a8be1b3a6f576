import type { StopInForce } from '#features/flags/automation-stops/index.ts';
import { isEnabled, type SignalEndpoint } from '#features/signals/signals/index.ts';

/** Returns the stop that a disabled endpoint is for its actions; undefined while it is enabled. */
export function stopByEndpoint(
  endpoint: SignalEndpoint | undefined,
  now: number,
): StopInForce<'endpoint disabled'> | undefined {
  if (endpoint === undefined || isEnabled(endpoint, now)) return undefined;
  return { stop: 'endpoint disabled', reason: `The signal endpoint ${endpoint.name} is disabled.` };
}
