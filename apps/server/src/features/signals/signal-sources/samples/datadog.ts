import type { SignalSample } from './sample.ts';

/**
 * A sample with the payload that the set-up in `sources/datadog.ts` defines. Times are filled in when the sample is
 * sent.
 */
export const datadogSample: SignalSample = {
  firing: {
    id: '7421',
    title: 'CPU is high on web-1',
    alert_transition: 'Triggered',
    alert_cycle_key: '1001',
    alert_type: 'error',
    date: '{startedAt}',
    link: 'https://app.datadoghq.com/event/event?id=7421',
  },
  resolved: {
    id: '7421',
    title: 'CPU is high on web-1',
    alert_transition: 'Recovered',
    alert_cycle_key: '1001',
    alert_type: 'success',
    date: '{startedAt}',
    link: 'https://app.datadoghq.com/event/event?id=7421',
  },
};
