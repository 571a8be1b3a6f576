import { LatencyHistogram } from '../load/histogram.ts';
import type { RawClient } from '../raw-client.ts';
import type { Readers } from './readers.ts';

/** Makes a change. Returns the time of its answer, in milliseconds since 1970. */
export type Change = () => Promise<number>;

/** Returns a change that switches a flag of the project `default` off and on in turn. */
export function switching(admin: RawClient, flag: string, environment: string): Change {
  let isOn = true;
  return async () => {
    isOn = !isOn;
    const url = `/api/admin/projects/default/features/${flag}/environments/${environment}/${isOn ? 'on' : 'off'}`;
    const { status } = await admin.send('POST', url);
    if (status !== 200) throw new Error(`Switching was answered ${status}`);
    return performance.timeOrigin + performance.now();
  };
}

/**
 * Measures the time from the answer to a change until each stream has it (`answered`) and until all have it (`last`).
 */
export async function changeOften(times: number, change: Change, readers: Readers) {
  const [answered, last] = [new LatencyHistogram(), new LatencyHistogram()];
  for (let n = 0; n < times; n += 1) {
    const [arrivals, at] = await Promise.all([readers.nextChange(), change()]);
    // A stream may deliver the change before the client that made it has its answer.
    const delays = arrivals.map((arrival) => Math.max(0, arrival - at));
    for (const delay of delays) answered.record(delay);
    last.record(Math.max(...delays));
  }
  return { answered, last };
}
