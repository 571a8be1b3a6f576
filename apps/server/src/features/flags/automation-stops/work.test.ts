import { expect, it } from 'vitest';
import { filesWithLoops } from '#testing/background-work.ts';
import { useServer } from '#testing/server.ts';
import { type AutomationKind, rules } from './index.ts';

const server = useServer();

/**
 * The kinds of automation that each job and each file with a background loop acts as, so that it follows their rules
 * under a stop. None: it changes no flag, plan or hold.
 */
const work: Readonly<Record<string, readonly AutomationKind[]>> = {
  // Jobs, by their kind.
  'action-call-retention': [],
  'action-effect-retention': [],
  'action-retention': [],
  'acknowledgement-retention': [],
  'alerts-without-effect': [],
  'automation-override-expiry': ['end of an override'],
  'backup-made': [],
  'database-restored': [],
  'delivery-key-retention': [],
  'event-retention': [],
  'external-metrics': [],
  'impact-metric-retention': [],
  'incident-grouping': [],
  'incident-retention': [],
  'integration-log-retention': [],
  'login-history-retention': [],
  'message-thread-retention': [],
  reminders: [],
  'release-plan-progression': ['plan step'],
  safeguards: ['safeguard holds', 'safeguard pauses', 'safeguard releases'],
  'signal-retention': [],
  'silent-endpoints': [],
  'usage-retention': [],
  'usage-roll-up': [],
  'waiting-runs': ['waiting hold', 'release by an action'],
  // Files, by their path.
  'app/clock-skew.ts': [],
  'features/people/access/activity-recorder.ts': [],
  'features/automation/actions/runs/runner.ts': ['hold by an action', 'release by an action', 'change by an action'],
  'features/log/activity/activity.ts': [],
  'features/people/api-tokens/tokens-in-memory.ts': [],
  'features/people/api-tokens/usage-recorder.ts': [],
  'features/review/change-requests/scheduler.ts': ['scheduled change request'],
  'features/platform/deliveries/sender.ts': ['call by an action'],
  'features/metrics/external-metrics/query-runner.ts': [],
  'features/automation/firing-alerts/tracker.ts': [],
  // Only marks a flag for people.
  'features/flags/flags/health/staleness.ts': [],
  'features/flags/holds/expiry.ts': ['end of a hold'],
  'features/metrics/impact-metrics/recorder.ts': [],
  'features/automation/incidents/moved-users.ts': [],
  'features/platform/loop-probe/loop-probe.ts': [],
  'features/releases/release-plans/step-down.ts': ['hold steps down'],
  'features/people/security-events/event-counter.ts': [],
  'features/signals/signals/log/refusals.ts': [],
  'app/replica-snapshot.ts': [],
  'features/sdks/replication/reports.ts': [],
  'features/sdks/replication/upstream.ts': [],
  'features/sdks/usage/used-flags.ts': [],
  'features/sdks/usage/writers.ts': [],
  'http/streams.ts': [],
  'jobs/disk-space.ts': [],
  'jobs/runner.ts': [],
  'jobs/scheduler.ts': [],
  'jobs/write-behind.ts': [],
  'storage/change-feed.ts': [],
  'storage/postgres/announcer.ts': [],
  'storage/postgres/listener.ts': [],
};

it('each job and each background loop names the kinds of automation that it acts as', () => {
  const all = [...server().app.service.jobs.kinds, ...filesWithLoops()];
  expect(Object.keys(work).sort()).toEqual(all.sort());
});

it('each kind of automation is the work of a job or a loop', () => {
  expect(new Set(Object.values(work).flat())).toEqual(new Set(Object.keys(rules)));
});
