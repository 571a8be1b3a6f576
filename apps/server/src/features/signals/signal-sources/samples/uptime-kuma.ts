import type { SignalSample } from './sample.ts';

const monitor = {
  id: 4,
  name: 'Checkout',
  url: 'https://checkout.example.com/health',
  method: 'GET',
  hostname: null,
  port: null,
  maxretries: 0,
  weight: 2000,
  active: true,
  type: 'http',
  interval: 60,
  tags: [],
};

const times = {
  important: true,
  duration: 60,
  timezone: 'UTC',
  timezoneOffset: '+00:00',
  localDateTime: '{now}',
};

/**
 * Requests that Uptime Kuma 2.0.0-dev.0 sent (see tests/payloads), with the main fields of the monitor. The time is
 * filled in when the sample is sent.
 */
export const uptimeKumaSample: SignalSample = {
  firing: {
    heartbeat: { monitorID: 4, status: 0, time: '{now}', msg: 'connect ECONNREFUSED 192.0.2.7:443', ...times },
    monitor,
    msg: '[Checkout] [🔴 Down] connect ECONNREFUSED 192.0.2.7:443',
  },
  resolved: {
    heartbeat: { monitorID: 4, status: 1, time: '{now}', msg: '200 - OK', ping: 41, ...times },
    monitor,
    msg: '[Checkout] [✅ Up] 200 - OK',
  },
};
