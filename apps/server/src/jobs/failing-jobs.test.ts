import { describe, expect, it } from 'vitest';
import type { Tables } from '#storage/tables.ts';
import { sql } from '#storage/tx.ts';
import { whileAway } from '#testing/away.ts';
import { author } from '#testing/database.ts';
import { useServer } from '#testing/server.ts';

interface Failing {
  /** A table that the job reads or writes, which is away when the job first runs. */
  readonly needs: keyof Tables & string;
  readonly payload?: object;
}

const byOperator = { file: 'backup', rows: 1, user: 'root', host: 'here', at: '2026-01-01T00:00:00.000Z' };

/** The kinds of jobs, each with what it needs. A new kind needs a row, or is listed below as one without. */
const jobs: Readonly<Record<string, Failing>> = {
  'event-retention': { needs: 'events' },
  'delivery-key-retention': { needs: 'signal_deliveries' },
  'signal-retention': { needs: 'signals' },
  'action-effect-retention': { needs: 'action_effects' },
  'action-retention': { needs: 'action_runs' },
  'action-call-retention': { needs: 'action_calls' },
  'automation-override-expiry': { needs: 'automation_overrides' },
  'alerts-without-effect': { needs: 'firing_alerts' },
  reminders: { needs: 'integrations' },
  'acknowledgement-retention': { needs: 'acknowledgements' },
  'usage-roll-up': { needs: 'client_metrics' },
  'integration-log-retention': { needs: 'integrations' },
  'message-thread-retention': { needs: 'message_threads' },
  'incident-grouping': { needs: 'incident_cursor' },
  'incident-retention': { needs: 'incidents' },
  'usage-retention': { needs: 'client_metrics_daily' },
  'login-history-retention': { needs: 'login_history' },
  'waiting-runs': { needs: 'action_runs' },
  'silent-endpoints': { needs: 'signal_endpoints' },
  'release-plan-progression': { needs: 'release_plans', payload: { planId: 'none', at: 1 } },
  safeguards: { needs: 'safeguards' },
  'impact-metric-retention': { needs: 'impact_samples' },
  'backup-made': { needs: 'events', payload: byOperator },
  'database-restored': { needs: 'events', payload: byOperator },
};

/** Kinds that only start work after their commit. */
const withoutStatements = ['external-metrics'];

const later = 10 * 365 * 86_400_000;

describe('a job that fails once', () => {
  const server = useServer();
  const change = (...statements: ReturnType<typeof sql>[]) =>
    server().app.database.writeQuietly('jobs', author, async (tx) => {
      for (const statement of statements) await statement.execute(tx.db);
    });
  const insert = (kind: string, payload: object = {}) =>
    sql`insert into jobs (kind, unique_key, payload, run_at, attempts)
      values (${kind}, ${kind}, ${JSON.stringify(payload)}, ${server().clock.now()}, 0)`;
  const rowOf = async (kind: string) => {
    const { db } = server().app.database;
    const { rows } = await sql<{ attempts: number; last_error: string | null; run_at: number }>`
      select attempts, last_error, run_at from jobs where kind = ${kind}`.execute(db);
    return rows[0];
  };
  const failures = () => server().logged.filter((line) => line.includes('a job failed')).length;

  it('is tested for each kind of job', () => {
    const tested = [...Object.keys(jobs), ...withoutStatements];
    expect(tested.toSorted()).toEqual([...server().app.service.jobs.kinds].sort());
  });

  it.each(Object.entries(jobs))(
    '%s is logged and repeated after a second, and delays no other job',
    async (kind, job) => {
      const other = job.needs === 'integrations' ? 'message-thread-retention' : 'integration-log-retention';
      const before = failures();
      await change(
        sql`update jobs set run_at = ${server().clock.now() + later}`,
        sql`delete from jobs where kind in (${kind}, ${other})`,
      );
      await whileAway(server(), job.needs, async () => {
        await change(insert(kind, job.payload), insert(other));
        await server().app.service.jobs.runDue();
      });
      expect(await rowOf(kind)).toMatchObject({ attempts: 1, last_error: expect.stringContaining(job.needs) });
      expect(failures()).toBeGreaterThan(before);
      expect(Number((await rowOf(other))?.run_at)).toBeGreaterThan(server().clock.now());
      server().clock.advance(1000);
      await server().app.service.jobs.runDue();
      const done = await rowOf(kind);
      if (done !== undefined) expect(done).toMatchObject({ attempts: 0, last_error: null });
    },
  );
});
