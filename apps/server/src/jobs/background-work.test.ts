import { expect, it } from 'vitest';
import { filesWithLoops, filesWithTimers, sourceOf } from '#testing/background-work.ts';

const rounds = 'app/failing-rounds.test.ts';
const buffers = 'app/failing-buffers.test.ts';

/**
 * Each file with a background loop, and the test that lets a round fail once: its file, and a part of its title. Or the
 * reason why it needs none. Jobs are tested in failing-jobs.test.ts, which finds them by itself.
 */
const loops: Readonly<Record<string, readonly [file: string, title: string] | string>> = {
  'app/clock-skew.ts': 'only a metric depends on it, and it is measured each minute',
  'features/people/access/activity-recorder.ts': [
    'features/people/access/activity-recorder.test.ts',
    'are kept while the database is unavailable',
  ],
  'features/automation/actions/runs/runner.ts': [rounds, 'running action sets'],
  'features/log/activity/activity.ts': 'announces numbers in memory, and again with the next',
  'features/people/api-tokens/tokens-in-memory.ts': [rounds, 'reading API tokens again'],
  'features/people/api-tokens/usage-recorder.ts': [
    'features/people/api-tokens/usage-recorder.test.ts',
    'is kept while the database is unavailable',
  ],
  'features/review/change-requests/scheduler.ts': [
    'features/review/change-requests/schedule.test.ts',
    'stays scheduled while the database is unavailable, and is applied afterwards',
  ],
  'features/platform/deliveries/sender.ts': [rounds, 'queueing and sending deliveries'],
  'features/metrics/external-metrics/query-runner.ts': 'the job of the next minute starts the queries that wait',
  'features/automation/firing-alerts/tracker.ts': [rounds, 'tracking alerts'],
  'features/flags/flags/health/staleness.ts': [rounds, 'marking flags as potentially stale'],
  'features/flags/holds/expiry.ts': [rounds, 'ending holds'],
  'features/metrics/impact-metrics/recorder.ts': [buffers, 'impact metrics'],
  'features/automation/incidents/moved-users.ts': [buffers, 'users that automation moved'],
  'features/platform/loop-probe/loop-probe.ts': [
    'features/platform/loop-probe/loop-probe.test.ts',
    'fails after 10 seconds',
  ],
  'features/releases/release-plans/step-down.ts': [rounds, 'holding flags further down'],
  'features/people/security-events/event-counter.ts': [buffers, 'counted refusals of requests'],
  'features/signals/signals/log/refusals.ts': [buffers, 'refused signals'],
  'app/replica-snapshot.ts': [
    'features/sdks/replication/snapshot.test.ts',
    'is written again after a write has failed',
  ],
  'features/sdks/replication/reports.ts': [
    'features/sdks/replication/reports.test.ts',
    'waits while the server is away',
  ],
  'features/sdks/replication/upstream.ts': [
    'features/sdks/replication/away.test.ts',
    'gets the changes since when the server is back',
  ],
  'features/sdks/usage/used-flags.ts': [
    'features/sdks/usage/usage.test.ts',
    'is kept while the database is unavailable',
  ],
  'features/sdks/usage/writers.ts': ['features/sdks/usage/usage.test.ts', 'is kept while the database is unavailable'],
  'http/streams.ts': ['http/streams.test.ts', 'nothing when it fails'],
  'jobs/disk-space.ts': [rounds, 'reclaiming disk space'],
  'jobs/runner.ts': ['jobs/failing-jobs.test.ts', 'is logged and repeated after a second'],
  'jobs/scheduler.ts': ['jobs/scheduler.test.ts', 'runs a due task after the database failed'],
  'jobs/write-behind.ts': ['jobs/write-behind.test.ts', 'retries a failed batch with back-off'],
  'storage/change-feed.ts': ['storage/change-feed.test.ts', 'tells a listener that failed again soon'],
  'storage/postgres/announcer.ts': 'the change feeds of other processes look each second',
  'storage/postgres/listener.ts': 'the change feed, which it wakes each second, is tested',
};

/** Each file with another timer, and the reason why it is no loop. */
const timers: Readonly<Record<string, string>> = {
  'app/serve-http.ts': 'closes the connections of a server that stops',
  'cli/event-commands.ts': 'a command reads again until its user ends it',
  'features/platform/deliveries/sender.ts': 'limits how long a stop waits for attempts',
  'features/platform/email/mail-queue.ts':
    'each e-mail has its own time of retry, and the queue does not survive a restart',
  'features/platform/loop-probe/loop-probe.ts': 'limits the time of one probe',
  'features/platform/outbound/answer.ts': 'limits the time of one answer',
  'features/sdks/replication/replica-memory.ts': 'limits how long a request waits for a change',
  'features/sdks/replication/upstream.ts': 'limits the silence of a connection',
  'kernel/event-loop.ts': 'waits for one turn of the event loop',
  'main.ts': 'the demo waits between its steps',
  'storage/postgres/migrate.ts': 'waits for a database that starts',
};

it('each file with a background loop has a test that lets a round fail once, or a reason', () => {
  expect(Object.keys(loops).sort()).toEqual(filesWithLoops());
});

it('all other timers are no loops', () => {
  expect(Object.keys(timers).sort()).toEqual(filesWithTimers());
});

it.each(Object.entries(loops).filter(([, cell]) => typeof cell !== 'string'))('%s: its test exists', (_, cell) => {
  const [file = '', title] = cell;
  expect(sourceOf(file)).toContain(title);
});
