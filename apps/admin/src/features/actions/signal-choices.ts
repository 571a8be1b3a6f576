import { formatWithRelative } from '../../ui/dates.ts';
import type { EndpointSignal } from '../signals/signal-queries.ts';

/** Signals to choose from, by their number and when they came. */
export function signalChoices(signals: readonly EndpointSignal[]) {
  return signals.map(({ id, createdAt }) => ({
    value: String(id),
    label: `Signal ${id}, ${formatWithRelative(createdAt)}`,
  }));
}
