import type { EndpointSignal } from '../../entities/signals/signal-queries.ts';
import { formatWithRelative } from '../../ui/dates.ts';

/** Returns signals as options of a select input, labelled with their id and time. */
export function signalChoices(signals: readonly EndpointSignal[]) {
  return signals.map(({ id, createdAt }) => ({
    value: String(id),
    label: `Signal ${id}, ${formatWithRelative(createdAt)}`,
  }));
}
