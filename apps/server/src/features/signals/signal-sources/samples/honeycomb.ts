import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const honeycombSample: SignalSample = { firing: message(true), resolved: message(false) };

function message(isFiring: boolean) {
  const groups = [{ Group: { service: 'checkout' }, Result: 2450 }];
  return {
    version: 'v0.1.0',
    id: 'abdcefg',
    name: 'Checkout latency',
    trigger_url: 'https://ui.honeycomb.io/team/datasets/shop/triggers/abdcefg',
    status: isFiring ? 'TRIGGERED' : 'OK',
    summary: `${isFiring ? 'Triggered' : 'Resolved'}: Checkout latency`,
    description: 'Currently greater than threshold value (2000) for service:checkout (value 2450)',
    operator: 'greater than',
    threshold: 2000,
    result_url: '',
    result_groups: groups,
    result_groups_triggered: isFiring ? groups : [],
  };
}
