import type { SignalSample } from './sample.ts';

/**
 * A sample with the payload that the set-up in `sources/datadog.ts` defines. Times are filled in when the sample is
 * sent.
 */
export const datadogSample: SignalSample = {
  firing: message('Triggered', 'error'),
  resolved: message('Recovered', 'success'),
};

function message(transition: 'Triggered' | 'Recovered', type: 'error' | 'success') {
  return {
    id: '7421',
    title: 'CPU is high on web-1',
    alert_transition: transition,
    alert_cycle_key: '1001',
    alert_type: type,
    date: '{startedAt}',
    link: 'https://app.datadoghq.com/event/event?id=7421',
  };
}
