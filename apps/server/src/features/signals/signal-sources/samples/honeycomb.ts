import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const honeycombSample: SignalSample = {
  firing: {
    version: 'v0.1.0',
    id: 'abdcefg',
    name: 'Checkout latency',
    trigger_url: 'https://ui.honeycomb.io/team/datasets/shop/triggers/abdcefg',
    status: 'TRIGGERED',
    summary: 'Triggered: Checkout latency',
    description: 'Currently greater than threshold value (2000) for service:checkout (value 2450)',
    operator: 'greater than',
    threshold: 2000,
    result_url: '',
    result_groups: [
      {
        Group: {
          service: 'checkout',
        },
        Result: 2450,
      },
    ],
    result_groups_triggered: [
      {
        Group: {
          service: 'checkout',
        },
        Result: 2450,
      },
    ],
  },
  resolved: {
    version: 'v0.1.0',
    id: 'abdcefg',
    name: 'Checkout latency',
    trigger_url: 'https://ui.honeycomb.io/team/datasets/shop/triggers/abdcefg',
    status: 'OK',
    summary: 'Resolved: Checkout latency',
    description: 'Currently greater than threshold value (2000) for service:checkout (value 2450)',
    operator: 'greater than',
    threshold: 2000,
    result_url: '',
    result_groups: [
      {
        Group: {
          service: 'checkout',
        },
        Result: 2450,
      },
    ],
    result_groups_triggered: [],
  },
};
