import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const checklySample: SignalSample = { firing: message('ALERT_FAILURE'), resolved: message('ALERT_RECOVERY') };

function message(type: 'ALERT_FAILURE' | 'ALERT_RECOVERY') {
  return {
    alert_type: type,
    title: 'Checkout API',
    check_id: '3f0e3a54-0d4e-4f0d-9c0f-1f5f6ad5b6a1',
    check_name: 'Checkout API',
    result_id: '5b1f0f39-6a1b-4a35-8f1d-7a0f3f4f9c11',
    started_at: '{startedAt}',
    link: 'https://app.checklyhq.com/checks/3f0e3a54/results/5b1f0f39',
  };
}
