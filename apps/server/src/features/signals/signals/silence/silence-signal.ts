import type { NormalizedSignal } from '@yardarm/contract';
import { type Filters, whereText } from '#features/platform/payload-filters/index.ts';
import { isoTime, isoTimeOrNull, timeText } from '#kernel/clock.ts';
import type { Tx } from '#storage/tx.ts';
import { appendSignal, signalTable, silenceTokenId } from '../log/index.ts';

/** Called with the endpoints that have new signals, once the signals are durable. */
export type OnStored = (endpointIds: readonly number[]) => void;

/** The path of the state in the payload of a silence: `began` or `ended`. */
export const silenceStatePath = 'silence.state';
export type SilenceState = 'began' | 'ended';

/** The silence of an endpoint. Times in milliseconds UTC. */
export interface Silence {
  readonly endpointId: number;
  /** The name of the endpoint. */
  readonly name: string;
  readonly expectedMinutes: number;
  readonly expectedFilters: Filters;
  /** The time of the last expected signal, or the time from which a signal was expected. */
  readonly since: number;
  /** The last expected signal; null when there is none. */
  readonly lastSignalAt: number | null;
}

/**
 * Returns the payload of the signal that reports that a silence began or ended `at` a time. Filters and templates read
 * it.
 */
export function silencePayload(
  { name, expectedMinutes, since, lastSignalAt }: Silence,
  state: SilenceState,
  at: number,
) {
  return {
    silence: {
      state,
      endpoint: name,
      expectedEveryMinutes: expectedMinutes,
      since: isoTime(since),
      lastSignalAt: isoTimeOrNull(lastSignalAt),
      endedAt: state === 'ended' ? isoTime(at) : null,
    },
  };
}

/**
 * Stores the signal by which Yardarm itself reports that a silence began or ended, and returns its id. The signal runs
 * the action sets that a silence triggers like any other signal: once, in order, and also after a crash.
 */
export async function storeSilence(tx: Tx, silence: Silence, state: SilenceState, onStored: OnStored): Promise<number> {
  const { endpointId } = silence;
  const signal = {
    endpointId,
    tokenId: silenceTokenId,
    payload: JSON.stringify(silencePayload(silence, state, tx.now)),
    normalized: JSON.stringify(recognised(silence, state)),
  };
  const { id } = await appendSignal(signal, (rows) => tx.append('signal', signalTable, rows));
  tx.afterCommit(() => onStored([endpointId]));
  return id;
}

/**
 * Returns the recognised fields of the signal that reports a silence. They have no fingerprint, so that the silence is
 * not counted as a firing alert: the page Now lists silent endpoints separately.
 */
function recognised({ name, expectedFilters, since }: Silence, state: SilenceState): NormalizedSignal {
  return {
    state: state === 'began' ? 'firing' : 'resolved',
    title:
      state === 'began'
        ? `No signal from ${name}${whereText(expectedFilters)} since ${timeText(since)}`
        : `The silence of ${name} ended`,
    severity: null,
    fingerprint: null,
    startedAt: isoTime(since),
    link: null,
    elements: [],
  };
}
