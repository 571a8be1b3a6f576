import type { NormalizedSignal, SignalSourceName, SignalState } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { normalizedText, signalSources } from './index.ts';

function recognised(source: SignalSourceName, payload: unknown): NormalizedSignal {
  return JSON.parse(normalizedText(signalSources[source], payload, () => undefined, null) ?? 'null');
}

/** The words of senders for states, and what they mean. */
type Words = readonly (readonly [word: string, state: SignalState | null])[];

const conclusions: Words = [
  ['success', 'succeeded'],
  ['failure', 'failed'],
  ['timed_out', 'failed'],
  ['startup_failure', 'failed'],
  // A newer push cancels the run of the older one.
  ['cancelled', null],
  ['neutral', null],
  ['skipped', null],
  ['stale', null],
  ['action_required', null],
];
const withConclusion = (field: string) => (conclusion: string) => ({
  [field]: { node_id: 'N', status: 'completed', conclusion },
});
const tables: readonly (readonly [string, SignalSourceName, (word: string) => unknown, Words])[] = [
  ...['workflow_run', 'check_run', 'check_suite', 'workflow_job'].map(
    (field) => [field, 'github', withConclusion(field), conclusions] as const,
  ),
  [
    'alert',
    'github',
    (state) => ({ alert: { html_url: 'https://github.com/o/r/1', state } }),
    [
      ['open', 'firing'],
      ['fixed', 'resolved'],
      ['dismissed', 'resolved'],
      ['auto_dismissed', 'resolved'],
    ],
  ],
  [
    'status',
    'github',
    (state) => ({ repository: { full_name: 'o/r' }, sha: 'a', context: 'ci/x', state }),
    [
      ['pending', 'pending'],
      ['success', 'succeeded'],
      ['failure', 'failed'],
      ['error', 'failed'],
    ],
  ],
  [
    'pipeline',
    'gitlab',
    (status) => ({ object_kind: 'pipeline', object_attributes: { id: 1, status } }),
    [
      ['created', 'pending'],
      ['waiting_for_resource', 'pending'],
      ['preparing', 'pending'],
      ['pending', 'pending'],
      ['running', 'pending'],
      ['success', 'succeeded'],
      ['failed', 'failed'],
      ['canceled', null],
      ['skipped', null],
      ['manual', null],
    ],
  ],
  [
    'canary',
    'flagger',
    (phase) => ({ name: 'shop', namespace: 'prod', phase }),
    [
      ['Initializing', 'pending'],
      ['Initialized', 'pending'],
      ['Waiting', 'pending'],
      ['Progressing', 'pending'],
      ['WaitingPromotion', 'pending'],
      ['Promoting', 'pending'],
      ['Finalising', 'pending'],
      ['Terminating', 'pending'],
      ['Succeeded', 'succeeded'],
      ['Failed', 'failed'],
    ],
  ],
  [
    'application',
    'argo-cd',
    (phase) => ({ app: 'shop', uid: 'u', phase }),
    [
      ['Running', 'pending'],
      ['Terminating', 'pending'],
      ['Succeeded', 'succeeded'],
      ['Failed', 'failed'],
      ['Error', 'failed'],
      ['', null],
      ['<no value>', null],
    ],
  ],
  [
    'rollout',
    'argo-rollouts',
    (phase) => ({ rollout: 'shop', uid: 'u', phase }),
    [
      ['Healthy', 'succeeded'],
      ['Degraded', 'failed'],
      ['Progressing', 'pending'],
      ['Paused', 'pending'],
    ],
  ],
  [
    'alert rule',
    'grafana',
    (state) => ({ ruleId: 7, ruleName: 'R', ruleUrl: 'http://g/r', state, title: '[x] R', evalMatches: [] }),
    [
      ['alerting', 'firing'],
      ['ok', 'resolved'],
      ['pending', 'pending'],
      ['no_data', null],
      ['paused', null],
    ],
  ],
  [
    'issue',
    'sentry',
    (action) => ({ action, data: { issue: { id: '1', title: 'T' } } }),
    [
      ['created', 'firing'],
      ['unresolved', 'firing'],
      ['resolved', 'resolved'],
      ['archived', 'resolved'],
      ['ignored', 'resolved'],
      ['assigned', null],
    ],
  ],
];

describe.each(tables)('the words for the state of a %s', (_thing, source, payloadOf, words) => {
  it.each(words)('%s', (word, state) => expect(recognised(source, payloadOf(word)).state).toBe(state));
});

describe('what is no alert', () => {
  it.each([
    ['sentry', { action: 'created', data: { comment: 'I look at it', issue_id: 77 } }],
    ['sentry', { action: 'created', data: { installation: { status: 'pending', uuid: 'u' } } }],
    ['sentry', { action: 'created', data: { error: { issue_id: '77', title: 'TypeError' } } }],
    ['pagerduty', { event: { event_type: 'incident.annotated', data: { type: 'incident_note', id: 'N' } } }],
    ['gitlab', { object_kind: 'issue', object_attributes: { id: 15, state: 'closed', title: 'Typo' } }],
    ['better-stack', { data: { type: 'on_call_event', id: '1', attributes: { status: 'Started' } } }],
  ] as const)('has no state: %s %j', (source, payload) =>
    expect(recognised(source, payload)?.state ?? null).toBeNull(),
  );

  it('an error of Sentry has the title and the issue that it is about', () => {
    const payload = { action: 'created', data: { error: { issue_id: '77', title: 'TypeError', level: 'error' } } };
    expect(recognised('sentry', payload)).toMatchObject({ title: 'TypeError', fingerprint: '77', severity: 'error' });
  });
});

it('a security alert of GitHub has the words of its advisory', () => {
  const alert = {
    html_url: 'https://github.com/o/r/1',
    state: 'open',
    security_advisory: { summary: 'XSS', severity: 'high' },
  };
  expect(recognised('github', { alert })).toMatchObject({ title: 'XSS', severity: 'high' });
});

describe('an alarm of CloudWatch', () => {
  const notification = (message: unknown, more: object = {}) => ({ Type: 'Notification', Message: message, ...more });
  it.each([
    [
      'by EventBridge',
      notification(
        JSON.stringify({
          'detail-type': 'CloudWatch Alarm State Change',
          resources: ['arn:aws:cloudwatch:eu-west-1:1:alarm:cpu'],
          detail: { alarmName: 'cpu', state: { value: 'ALARM', timestamp: '2026-01-02T03:04:05.000+0000' } },
        }),
      ),
      { fingerprint: 'arn:aws:cloudwatch:eu-west-1:1:alarm:cpu', occurredAt: '2026-01-02T03:04:05.000Z' },
    ],
    [
      'as plain text, by its subject',
      notification('The alarm cpu is in the state ALARM.', { Subject: 'ALARM: "cpu" in EU (Ireland)' }),
      { fingerprint: 'cpu' },
    ],
  ])('%s', (_how, payload, fields) => {
    expect(recognised('sns', payload)).toMatchObject({
      state: 'firing',
      title: expect.stringContaining('cpu'),
      ...fields,
    });
  });

  it('a text without an alarm has its first words as the title, and no state', () => {
    expect(recognised('sns', 'disk is full')).toMatchObject({ state: null, title: 'disk is full', fingerprint: null });
  });
});
