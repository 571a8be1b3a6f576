import type { SignalSourceName } from '@yardarm/contract';

/** The two parts of a name. A kind whose name has one part joins them. */
type Name = readonly [string, string];

/** A kind of things that a source reports about, with the requests that report it. */
export interface ThingKind {
  /** The thing: kinds of one thing report about the same thing under the same name. */
  readonly thing: string;
  /** Returns the report that the thing fires or failed, or that this is over. */
  readonly report: (name: Name, isOver: boolean) => unknown;
  /** False for things without a state, such as comments. */
  readonly hasState?: false;
}

const joined = ([a, b]: Name) => `${a}/${b}`;
const state = (firing: string, over: string) => (isOver: boolean) => (isOver ? over : firing);
const began = '2026-11-20T20:31:00.000Z';
const ended = '2026-11-20T20:41:00.000Z';
const at = (isOver: boolean) => (isOver ? ended : began);

const status = state('firing', 'resolved');
const outcome = state('failure', 'success');
const phase = state('Failed', 'Succeeded');

const groups: readonly ThingKind[] = [
  {
    thing: 'group',
    report: ([receiver, name], isOver) => ({
      status: status(isOver),
      receiver,
      groupLabels: { name },
      // The key changes when the route of the group is edited.
      groupKey: isOver ? '{}/{team="a"}' : '{}/{team="b"}',
    }),
  },
  { thing: 'group of a copy', report: (name, isOver) => ({ status: status(isOver), groupKey: `{}:${joined(name)}` }) },
];
const alertsOfGroups: readonly ThingKind[] = [
  {
    thing: 'alert',
    report: (name, isOver) => ({ alerts: [{ status: status(isOver), fingerprint: joined(name), startsAt: began }] }),
  },
  {
    thing: 'alert without fingerprint',
    report: ([alertname, instance], isOver) => ({
      alerts: [
        {
          status: status(isOver),
          labels: isOver ? { instance, alertname } : { alertname, instance },
          annotations: { summary: status(isOver) },
          startsAt: began,
        },
      ],
    }),
  },
];
const node = (kind: string, field: string) => (name: Name, isOver: boolean) => ({
  [field]: { node_id: `${kind}_${joined(name)}`, conclusion: outcome(isOver), status: 'completed' },
});
const ofGitlab = (object_kind: string) => (name: Name, isOver: boolean) => ({
  object_kind,
  object_attributes: { id: joined(name), state: state('opened', 'closed')(isOver) },
});
const event = (data: object, isOver: boolean) => ({
  event: { event_type: `incident.${state('triggered', 'resolved')(isOver)}`, occurred_at: at(isOver), data },
});

/** The kinds of things that each source reports about: as many as it declares, in the same order. */
export const things: Readonly<Record<SignalSourceName, readonly ThingKind[]>> = {
  generic: [],
  alertmanager: [...groups, ...alertsOfGroups],
  grafana: [
    {
      thing: 'rule',
      report: (name, isOver) => ({ ruleId: joined(name), ruleName: 'R', state: state('alerting', 'ok')(isOver) }),
    },
    ...groups,
    ...alertsOfGroups,
  ],
  datadog: [
    {
      thing: 'cycle',
      report: (name, isOver) => ({
        alert_cycle_key: joined(name),
        alert_id: '1',
        alert_transition: state('Triggered', 'Recovered')(isOver),
      }),
    },
    {
      thing: 'group of a monitor',
      report: ([alert_id, alert_scope], isOver) => ({
        alert_id,
        alert_scope,
        alert_transition: state('Triggered', 'Recovered')(isOver),
      }),
    },
    {
      thing: 'monitor',
      report: (name, isOver) => ({
        alert_id: joined(name),
        alert_transition: state('Triggered', 'Recovered')(isOver),
      }),
    },
    {
      thing: 'aggregation',
      report: (name, isOver) => ({
        aggreg_key: joined(name),
        alert_transition: state('Triggered', 'Recovered')(isOver),
      }),
    },
  ],
  pagerduty: [
    {
      thing: 'incident',
      // The key is that of another service, too.
      report: (name, isOver) =>
        event(
          {
            type: 'incident',
            id: joined(name),
            incident_key: 'cpu',
            status: state('triggered', 'resolved')(isOver),
            created_at: began,
          },
          isOver,
        ),
    },
    {
      thing: 'note',
      hasState: false,
      report: (name, isOver) => event({ type: 'incident_note', id: joined(name) }, isOver),
    },
  ],
  sentry: [
    {
      thing: 'metric alert',
      report: (name, isOver) => ({
        action: state('critical', 'resolved')(isOver),
        data: { metric_alert: { id: joined(name), date_started: began } },
      }),
    },
    {
      thing: 'issue',
      report: (name, isOver) => ({
        action: state('created', 'archived')(isOver),
        data: { issue: { id: joined(name), firstSeen: began } },
      }),
    },
    {
      thing: 'issue',
      report: (name, isOver) => ({
        action: state('triggered', 'resolved')(isOver),
        data: { event: { issue_id: joined(name), datetime: at(isOver) } },
      }),
    },
    {
      thing: 'issue',
      hasState: false,
      report: (name) => ({ action: 'created', data: { error: { issue_id: joined(name), event_id: 'e' } } }),
    },
  ],
  newrelic: [
    {
      thing: 'issue',
      report: (name, isOver) => ({
        id: joined(name),
        state: state('ACTIVATED', 'CLOSED')(isOver),
        createdAt: 1_795_206_660_000,
      }),
    },
    {
      thing: 'incident',
      report: ([account_id, incident_id], isOver) => ({
        account_id,
        incident_id,
        current_state: state('open', 'closed')(isOver),
      }),
    },
    {
      thing: 'incident without account',
      report: (name, isOver) => ({ incident_id: joined(name), current_state: state('open', 'closed')(isOver) }),
    },
  ],
  honeycomb: [
    { thing: 'trigger', report: (name, isOver) => ({ id: joined(name), status: state('TRIGGERED', 'OK')(isOver) }) },
  ],
  checkly: [
    {
      thing: 'check',
      report: (name, isOver) => ({
        check_id: joined(name),
        alert_type: state('ALERT_FAILURE', 'ALERT_RECOVERY')(isOver),
        started_at: at(isOver),
      }),
    },
  ],
  'better-stack': [
    {
      thing: 'incident',
      report: (name, isOver) => ({
        data: {
          type: 'incident',
          id: joined(name),
          attributes: { status: state('Started', 'Resolved')(isOver), started_at: began },
        },
      }),
    },
    {
      thing: 'on call event',
      hasState: false,
      report: (name) => ({ data: { type: 'on_call_event', id: joined(name), attributes: { status: 'Started' } } }),
    },
  ],
  'uptime-kuma': [
    {
      thing: 'monitor',
      report: (name, isOver) => ({
        monitor: { id: joined(name), name: 'M' },
        heartbeat: { status: isOver ? 1 : 0 },
      }),
    },
  ],
  github: [
    {
      thing: 'deployment',
      report: (name, isOver) => ({
        deployment: { node_id: `DE_${joined(name)}` },
        deployment_status: { state: outcome(isOver), created_at: at(isOver) },
      }),
    },
    { thing: 'workflow run', report: node('WFR', 'workflow_run') },
    { thing: 'check run', report: node('CR', 'check_run') },
    { thing: 'check suite', report: node('CS', 'check_suite') },
    { thing: 'workflow job', report: node('CJ', 'workflow_job') },
    {
      thing: 'alert',
      report: (name, isOver) => ({
        alert: {
          html_url: `https://github.com/o/r/security/${joined(name)}`,
          state: state('open', 'fixed')(isOver),
          created_at: began,
          updated_at: at(isOver),
        },
      }),
    },
    {
      thing: 'status',
      report: ([sha, context], isOver) => ({
        repository: { full_name: 'o/r' },
        state: outcome(isOver),
        sha,
        context,
      }),
    },
  ],
  gitlab: [
    {
      thing: 'deployment',
      report: (name, isOver) => ({
        object_kind: 'deployment',
        deployment_id: joined(name),
        status: state('failed', 'success')(isOver),
      }),
    },
    {
      thing: 'build',
      report: (name, isOver) => ({
        object_kind: 'build',
        build_id: joined(name),
        build_status: state('failed', 'success')(isOver),
      }),
    },
    {
      thing: 'pipeline',
      report: (name, isOver) => ({
        object_kind: 'pipeline',
        object_attributes: { id: joined(name), status: state('failed', 'success')(isOver), finished_at: at(isOver) },
      }),
    },
    { thing: 'merge request', hasState: false, report: ofGitlab('merge_request') },
  ],
  'argo-cd': [
    { thing: 'application by uid', report: (name, isOver) => ({ uid: `uid ${joined(name)}`, phase: phase(isOver) }) },
    {
      thing: 'application by namespace',
      report: ([namespace, app], isOver) => ({ uid: '<no value>', namespace, app, phase: phase(isOver) }),
    },
    { thing: 'application by name', report: (name, isOver) => ({ app: joined(name), phase: phase(isOver) }) },
  ],
  'argo-rollouts': [
    { thing: 'rollout by uid', report: (name, isOver) => ({ uid: `uid ${joined(name)}`, phase: phase(isOver) }) },
    {
      thing: 'rollout by namespace',
      report: ([namespace, rollout], isOver) => ({ uid: '<no value>', namespace, rollout, phase: phase(isOver) }),
    },
  ],
  flagger: [
    {
      thing: 'canary',
      report: ([namespace, name], isOver) => ({ namespace, name, phase: phase(isOver) }),
    },
  ],
  'kubernetes-events': [
    // An event of Kubernetes has no end.
    { thing: 'event', report: (name) => ({ uid: joined(name), type: 'Warning' }), hasState: false },
  ],
  sns: [
    {
      thing: 'alarm',
      report: (name, isOver) => ({
        AlarmArn: `arn:aws:cloudwatch:${joined(name)}`,
        AlarmName: 'cpu',
        NewStateValue: state('ALARM', 'OK')(isOver),
      }),
    },
    {
      thing: 'alarm by EventBridge',
      report: (name, isOver) => ({
        'detail-type': 'CloudWatch Alarm State Change',
        resources: [`arn:aws:cloudwatch:eventbridge:${joined(name)}`],
        detail: { alarmName: 'cpu', state: { value: state('ALARM', 'OK')(isOver) } },
      }),
    },
    {
      thing: 'alarm of an account',
      report: ([AWSAccountId, AlarmName], isOver) => ({
        AWSAccountId,
        Region: 'EU (Ireland)',
        AlarmName,
        NewStateValue: state('ALARM', 'OK')(isOver),
      }),
    },
    {
      thing: 'alarm by its name',
      report: (name, isOver) => ({
        Type: 'Notification',
        Subject: `${state('ALARM', 'OK')(isOver)}: "${joined(name)}" in EU (Ireland)`,
        Message: 'The alarm has changed its state.',
      }),
    },
  ],
  slack: [],
  'standard-webhooks': [],
  cloudevents: [
    {
      // The types of events tell the state, in filters.
      thing: 'subject',
      hasState: false,
      report: ([source, subject], isOver) => ({
        source,
        subject,
        id: isOver ? '2' : '1',
        type: isOver ? 'ended' : 'firing',
      }),
    },
  ],
};
