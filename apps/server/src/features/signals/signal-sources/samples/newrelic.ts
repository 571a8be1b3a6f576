import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const newrelicSample: SignalSample = { firing: message('ACTIVATED'), resolved: message('CLOSED') };

function message(state: 'ACTIVATED' | 'CLOSED') {
  return {
    id: '6f1c6f0e-8d3f-4a7e-9a55-1a2b3c4d5e6f',
    issueUrl:
      'https://radar-api.service.newrelic.com/accounts/1/issues/6f1c6f0e-8d3f-4a7e-9a55-1a2b3c4d5e6f?notifier=WEBHOOK',
    title: "checkout query result is > 5.0 for 5 minutes on 'Errors'",
    priority: 'CRITICAL',
    impactedEntities: ['checkout'],
    totalIncidents: 1,
    state,
    trigger: 'STATE_CHANGE',
    isCorrelated: false,
    createdAt: '{startedAt}',
    updatedAt: '{now}',
    sources: ['newrelic'],
    alertPolicyNames: ['Shop policy'],
    alertConditionNames: ['Errors'],
    workflowName: 'to-yardarm',
  };
}
